import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { get, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../app.ts';
import { useTestApp } from '../testing/app.ts';
import { createPlatformDatabase } from '../testing/databases.ts';
import { runServer, type ServerProcess, startServer, withDataDir } from '../testing/server-process.ts';

const test = useTestApp();

/** A certificate of its own for localhost. */
async function makeCertificate(): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { cert, key };
}

/** Puts the files in place as a program does that renews certificates: each of them at once. */
async function place(dir: string, certificate: { cert: string; key: string }): Promise<void> {
  for (const [name, content] of Object.entries(certificate)) {
    await writeFile(join(dir, `${name}.new`), content);
    await rename(join(dir, `${name}.new`), join(dir, `${name}.pem`));
  }
}

const filesIn = (dir: string) => ({
  APOTHECA_TLS_CERT: join(dir, 'cert.pem'),
  APOTHECA_TLS_KEY: join(dir, 'key.pem'),
});

async function ask(url: string, options: RequestOptions) {
  const [response] = await once(get(url, { agent: false, ...options }), 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** The certificate that a new connection gets, as PEM without line ends. */
async function shownCertificate({ url }: ServerProcess): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const shown = socket.getPeerX509Certificate()?.toString() ?? '';
  socket.destroy();
  return shown.replaceAll(/\s/g, '');
}

/** Starts a server with TLS, on a control database of its own. */
async function startWithTls(dataDir: string): Promise<ServerProcess> {
  const database = await createPlatformDatabase();
  onTestFinished(database.drop);
  return await startServer({
    DATABASE_URL: database.url,
    APOTHECA_DATA_DIR: dataDir,
    APOTHECA_DRAIN_SECONDS: '0',
    LOG_LEVEL: 'error',
    ...filesIn(dataDir),
  });
}

describe('with a certificate of its own', () => {
  it('the server speaks TLS only, with HSTS, and takes a renewed certificate without a restart [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const [first, second] = [await makeCertificate(), await makeCertificate()];
      await place(dataDir, first);
      const server = await startWithTls(dataDir);
      expect(server.url).toMatch(/^https:/);
      const answer = await ask(`${server.url}/config.json`, { ca: first.cert });
      expect(answer).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
      await expect(fetch(server.url.replace('https', 'http'))).rejects.toThrow('fetch failed');
      const old = {
        ca: first.cert,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      } as const;
      await expect(ask(`${server.url}/config.json`, old)).rejects.toThrow('alert protocol version');

      // The key is still the old one: the server goes on with the certificate that fits.
      await writeFile(join(dataDir, 'cert.pem'), second.cert);
      await expect.poll(() => server.output()).toContain('the renewed certificate is not used');
      expect(await shownCertificate(server)).toBe(first.cert.replaceAll(/\s/g, ''));

      await place(dataDir, second);
      await expect.poll(() => shownCertificate(server)).toBe(second.cert.replaceAll(/\s/g, ''));
      expect((await ask(`${server.url}/readyz`, { ca: second.cert })).status).toBe(200);
      expect(server.output()).not.toContain(first.key.slice(40, 80));
      expect(await server.interrupt()).toBe(0);
    });
  });

  it('the server answers what is under way before it stops, and ends connections that never began or never used a handshake [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const certificate = await makeCertificate();
      await place(dataDir, certificate);
      const tls = { cert: join(dataDir, 'cert.pem'), key: join(dataDir, 'key.pem') };
      // Whoever waited for the end of a handshake would wait for five minutes.
      const app = await buildApp(test.context, { logLevel: 'silent', tls, requestTimeout: 300_000 });
      const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
      app.get('/held', () => {
        asked.resolve();
        return held.promise;
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { hostname, port } = new URL(app.listeningOrigin);
      const silent = connectPlain(Number(port), hostname);
      const idle = connect({ host: hostname, port: Number(port), ca: certificate.cert });
      const closed = Promise.all([once(silent, 'close'), once(idle, 'close')]);
      for (const socket of [silent, idle]) socket.on('error', () => undefined);
      await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect')]);
      const answer = ask(`${app.listeningOrigin}/held`, { ca: certificate.cert });
      await asked.promise;
      const closing = app.close();
      await closed;
      held.resolve('answered');
      expect(await answer).toMatchObject({ status: 200, body: 'answered' });
      await closing;
    });
  });
});

describe('a start with TLS', () => {
  it('is refused where the files are missing, are none, or do not belong together [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const database = await createPlatformDatabase();
      const environment = { PORT: '0', DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, ...filesIn(dataDir) };
      const refusal = async () => (await runServer(environment)).output.trim();
      expect(await refusal()).toMatch(/^Apotheca cannot start: APOTHECA_TLS_CERT cannot be read: ENOENT/);
      const { cert } = await makeCertificate();
      await place(dataDir, { cert, key: (await makeCertificate()).key });
      expect(await refusal()).toMatch(
        /^Apotheca cannot start: APOTHECA_TLS_CERT and APOTHECA_TLS_KEY cannot be used together: .*mismatch/,
      );
      await place(dataDir, { cert: 'no certificate', key: 'no key' });
      expect(await refusal()).toMatch(/^Apotheca cannot start: APOTHECA_TLS_CERT and APOTHECA_TLS_KEY cannot be used/);
      await database.drop();
    });
  });
});
