import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { withClient } from './databases.ts';
import { testPrograms } from './postgres-version.ts';

export const TLS_USER = { userName: 'encrypted', password: 'encrypted' };

/** What the server shows: a certificate that is right, of another CA, for another host, of last year; or no TLS at all. */
type Shown = 'right' | 'of another CA' | 'for another host' | 'expired' | 'nothing';

/** A PostgreSQL that takes encrypted connections only, as `localhost`. */
export interface TlsServer {
  port: number;
  /** Connection string of its administrator to the database `apotheca`, as `localhost`; it says nothing of TLS. */
  url: string;
  /** The CA of its certificate, in PEM, and its file. */
  ca: string;
  caFile: string;
  /** Another CA, in PEM. */
  otherCa: string;
  /** Changes what new connections are shown. */
  show(what: Shown): Promise<void>;
  /** Runs a statement past all that. @returns the rows */
  ask(statement: string): Promise<Record<string, unknown>[]>;
}

/** Starts a PostgreSQL with a CA of its own before a file's tests, and throws both away after them. */
export function useTlsServer(): TlsServer {
  const server = {} as TlsServer & { folder: string; postgres: EmbeddedPostgres };
  beforeAll(async () => {
    server.folder = await mkdtemp(join(tmpdir(), 'apotheca-tls-'));
    // Client programs run as another account.
    await chmod(server.folder, 0o755);
    Object.assign(server, await startTlsServer(server.folder));
  });
  afterAll(async () => {
    await server.postgres.stop();
    await rm(server.folder, { recursive: true, force: true });
  });
  return server;
}

async function startTlsServer(folder: string) {
  const dataDir = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: TLS_USER.password,
    programs: await testPrograms(),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const own = withDatabaseName(postgres.url, 'postgres');
  const ask = async (statement: string) => (await withClient(own, (client) => client.query(statement))).rows;
  const certificates = await makeCertificates();
  // The superuser of the embedded PostgreSQL is the tests' own.
  await place(
    dataDir,
    'pg_hba.conf',
    'host all postgres 127.0.0.1/32 scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  );
  await ask(`create role ${TLS_USER.userName} superuser login password '${TLS_USER.password}'`);
  const show = (what: Shown) => showCertificate(dataDir, ask, what === 'nothing' ? undefined : certificates[what]);
  await show('right');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, certificates.ca, { mode: 0o644 });
  const url = new URL(postgres.url);
  Object.assign(url, { hostname: 'localhost', username: TLS_USER.userName, password: TLS_USER.password });
  const port = Number(url.port);
  return { postgres, port, url: url.href, ca: certificates.ca, caFile, otherCa: certificates.otherCa, show, ask };
}

/** Puts a file into a cluster's folder, for its account alone. */
async function place(dataDir: string, name: string, content: string): Promise<void> {
  const owner = await stat(dataDir);
  const path = join(dataDir, name);
  await writeFile(path, content, { mode: 0o600 });
  await chown(path, owner.uid, owner.gid);
}

/**
 * Has a PostgreSQL show a certificate to new connections.
 * @param dataDir its cluster's folder @param ask runs a statement there, as a superuser
 * @param shown absent: it takes no encrypted connections any more
 */
export async function showCertificate(
  dataDir: string,
  ask: (statement: string) => Promise<Record<string, unknown>[]>,
  shown: Certificate | undefined,
): Promise<void> {
  if (shown) {
    await place(dataDir, 'server.crt', shown.cert);
    await place(dataDir, 'server.key', shown.key);
  }
  await ask(`alter system set ssl = ${shown ? 'on' : 'off'}`);
  const [before] = await ask('select pg_conf_load_time()::text as at');
  await ask('select pg_reload_conf()');
  // The postmaster reads its files a moment later. A session has the time at which it had read them when the session began.
  while ((await ask('select pg_conf_load_time()::text as at'))[0]?.at === before?.at);
}

interface Certificate {
  cert: string;
  key: string;
}

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;
const YEAR = 365 * 86_400_000;

/** Two CAs, in PEM, and certificates of servers by what is right or wrong with them: for `localhost`, but for one. */
export async function makeCertificates() {
  const one = await makeCa('Clinic CA');
  const other = await makeCa('Other CA');
  const issue = async (ca: Certificate, host: string, begin = new Date()) => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
      ...EC,
      ca,
      notBeforeDate: new Date(begin.getTime() - 60_000),
      notAfterDate: new Date(begin.getTime() + YEAR / 2),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
    });
    return { cert, key };
  };
  return {
    ca: one.cert,
    otherCa: other.cert,
    right: await issue(one, 'localhost'),
    'of another CA': await issue(other, 'localhost'),
    'for another host': await issue(one, 'db.clinic.test'),
    expired: await issue(one, 'localhost', new Date(Date.now() - YEAR)),
  };
}

async function makeCa(name: string): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...EC,
    notBeforeDate: new Date(Date.now() - 2 * YEAR),
    notAfterDate: new Date(Date.now() + YEAR),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert, key };
}
