import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { authRoutes } from '@apotheca/contract/auth';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import { tenantRoutes } from '@apotheca/contract/tenants';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ADMINISTRATOR } from '../testing/administrator.ts';
import { useTestApp } from '../testing/app.ts';
import { urlOf } from '../testing/routes.ts';
import { registerCompression } from './compression.ts';
import { acceptedBy } from './content-coding.ts';
import { replyError } from './error-reply.ts';

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

describe('a client', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip ; q=0.5', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'br'],
    ['gzip, *;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('that takes %s is sent %s [§7]', (header, coding) => {
    expect(acceptedBy(header).coding).toBe(coding);
  });

  it.each([
    ['identity;q=0', true],
    ['gzip, identity;q=0.0', true],
    ['gzip, *;q=0', true],
    ['identity;q=0.1, *;q=0', false],
    ['gzip', false],
    [undefined, false],
  ])('that takes %s refuses bodies as they are: %s [§7]', (header, isRefused) => {
    expect(acceptedBy(header).refusesIdentity).toBe(isRefused);
  });
});

describe('an answer', () => {
  const TEXT = 'A line of text. '.repeat(100);
  let app: FastifyInstance;
  let answer: (reply: FastifyReply) => unknown;
  beforeAll(async () => {
    app = Fastify();
    registerCompression(app);
    app.setErrorHandler(replyError);
    app.get('/', (_request, reply) => answer(reply));
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  const body = (type: string, content: string | Buffer | Readable, headers: Record<string, string | number> = {}) => {
    return (reply: FastifyReply) => reply.headers(headers).type(type).send(content);
  };
  const ask = (
    makeAnswer: (reply: FastifyReply) => unknown,
    headers: OutgoingHttpHeaders = BROWSER,
    method = 'GET',
  ) => {
    answer = makeAnswer;
    return app.inject({ method: method as 'GET', url: '/', headers });
  };

  it.each([
    'application/json; charset=utf-8',
    'text/html; charset=utf-8',
    'text/csv',
    'text/plain; version=0.0.4',
    'text/javascript',
    'application/manifest+json; charset=utf-8',
    'image/svg+xml',
  ])('of type %s is compressed in what the client takes [§7]', async (type) => {
    for (const [coding, decode] of Object.entries(DECODERS)) {
      const { headers, rawPayload } = await ask(body(type, TEXT), { 'accept-encoding': coding });
      expect(headers).toMatchObject({
        'content-type': type,
        'content-encoding': coding,
        'content-length': String(rawPayload.length),
        vary: 'Accept-Encoding',
      });
      expect(rawPayload.length).toBeLessThan(TEXT.length / 5);
      expect(decode(rawPayload).toString()).toBe(TEXT);
    }
  });

  it.each([
    ['an archive', body('application/octet-stream', TEXT)],
    ['a picture', body('image/png', TEXT)],
    ['a font', body('font/woff2', TEXT)],
    ['compressed already', body('text/plain', TEXT, { 'content-encoding': 'br' })],
    ['not to be transformed', body('text/plain', TEXT, { 'cache-control': 'no-store, no-transform' })],
    ['a part', body('text/plain', TEXT, { 'content-range': 'bytes 0-1599/9999' })],
    ['short', body('text/plain', TEXT.slice(0, 1023))],
  ])('that is %s stays as it is [§7]', async (_, makeAnswer) => {
    const plain = await ask(makeAnswer, {});
    const { headers, rawPayload } = await ask(makeAnswer);
    expect(rawPayload.equals(plain.rawPayload)).toBe(true);
    expect([headers['content-encoding'], headers.vary]).toEqual([plain.headers['content-encoding'], undefined]);
  });

  it('to a client that takes no coding is as it is, and says that it depends on that [§7]', async () => {
    for (const accepted of [{}, { 'accept-encoding': 'deflate' }, { 'accept-encoding': 'identity;q=0' }]) {
      const { headers, body: sent } = await ask(body('text/plain', TEXT), accepted);
      expect([headers['content-encoding'], headers.vary, sent]).toEqual([undefined, 'Accept-Encoding', TEXT]);
    }
  });

  it('that is short is compressed where the client refuses it as it is [§7]', async () => {
    const { headers, rawPayload } = await ask(body('text/plain', 'short'), { 'accept-encoding': 'gzip, identity;q=0' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(rawPayload).toString()).toBe('short');
    const empty = await ask(body('text/plain', ''), { 'accept-encoding': 'gzip, identity;q=0' });
    expect([empty.headers['content-encoding'], empty.body]).toEqual([undefined, '']);
  });

  it('of any size comes out as it went in [§7]', async () => {
    for (const bytes of [1024, 32 * 1024 - 1, 32 * 1024, 1024 * 1024]) {
      const text = randomBytes(bytes).toString('base64').slice(0, bytes);
      const { rawPayload } = await ask(body('text/plain', Buffer.from(text)));
      expect(zstdDecompressSync(rawPayload).toString()).toBe(text);
    }
  });

  it('keeps what it depends on already, and its entity tag is weak [§7]', async () => {
    const vary = async (before: string) => (await ask(body('text/plain', TEXT, { vary: before }))).headers.vary;
    expect(await vary('Origin')).toBe('Origin, Accept-Encoding');
    expect(await vary('accept-encoding')).toBe('accept-encoding');
    expect(await vary('*')).toBe('*');
    const etag = async (before: string) => (await ask(body('text/plain', TEXT, { etag: before }))).headers.etag;
    expect([await etag('"a"'), await etag('W/"a"')]).toEqual(['W/"a"', 'W/"a"']);
    expect((await ask(body('text/plain', TEXT, { etag: '"a"' }), {})).headers.etag).toBe('"a"');
  });

  it('has the same headers for HEAD [§7]', async () => {
    const { date: _, ...got } = (await ask(body('text/plain', TEXT))).headers;
    const { headers, body: sent } = await ask(body('text/plain', TEXT), BROWSER, 'HEAD');
    expect(sent).toBe('');
    expect(headers).toMatchObject(got);
    const stream = await ask(body('text/plain', Readable.from([TEXT])), BROWSER, 'HEAD');
    expect([stream.headers['content-encoding'], stream.headers['content-length'], stream.body]).toEqual([
      'zstd',
      undefined,
      '',
    ]);
  });

  it('that nothing has changed says what it depends on, and has no body [§7]', async () => {
    const { statusCode, headers, rawPayload } = await ask((reply) => reply.code(304).send(), {
      'accept-encoding': 'gzip, identity;q=0',
    });
    expect([statusCode, headers.vary, headers['content-encoding'], rawPayload.length]).toEqual([
      304,
      'Accept-Encoding',
      undefined,
      0,
    ]);
  });

  describe('that is a stream', () => {
    /** Base64 of random bytes, 64 KiB at a time, as much as is read. */
    function randomText(bytes: number) {
      const read = { bytes: 0 };
      const source = new Readable({
        read(size) {
          if (read.bytes >= bytes) return void this.push(null);
          read.bytes += size;
          this.push(randomBytes(size).toString('base64').slice(0, size));
        },
      });
      return { source, read };
    }

    /** Connects without reading, and asks for the answer. */
    async function askBySocket() {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {}).pause();
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: zstd\r\n\r\n');
      return socket;
    }

    it('is compressed as it comes, and has no length [§7]', async () => {
      for (const [coding, decode] of Object.entries(DECODERS)) {
        const lines = Array.from({ length: 5_000 }, (_, n) => `${n}: ${TEXT}\n`);
        const content = body('text/csv', Readable.from(lines), { 'content-length': 99_999, 'accept-ranges': 'bytes' });
        const { headers, rawPayload } = await ask(content, { 'accept-encoding': coding });
        expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
        expect([headers['content-length'], headers['accept-ranges']]).toEqual([undefined, undefined]);
        expect(decode(rawPayload).toString()).toBe(lines.join(''));
      }
    });

    it('stays as it is where it is short [§7]', async () => {
      const { headers } = await ask(body('text/csv', Readable.from(['a,b']), { 'content-length': 3 }));
      expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, '3']);
    });

    it('is read no faster than the client reads, and ends when it hangs up [§7]', async () => {
      const { source, read } = randomText(1024 ** 3);
      answer = body('text/csv', source);
      const socket = await askBySocket();
      let before = -1;
      await vi.waitUntil(
        () => {
          const hasStopped = read.bytes > 0 && read.bytes === before;
          before = read.bytes;
          return hasStopped;
        },
        { interval: 300, timeout: 60_000 },
      );
      expect(read.bytes).toBeLessThan(64 * 1024 ** 2);
      const closed = new Promise((close) => source.once('close', close));
      socket.destroy();
      await closed;
    });

    it('that fails before its first byte is answered with a failure that can be read [§8]', async () => {
      const source = new Readable({ read: () => source.destroy(new Error('not there')) });
      const { statusCode, headers, body: sent } = await ask(body('text/csv', source, { etag: '"a"' }));
      expect([statusCode, headers['content-encoding'], headers.etag]).toEqual([500, undefined, undefined]);
      expect(JSON.parse(sent)).toMatchObject({ status: 500, success: false });
    });

    it('that fails later ends the connection, so that nobody takes it for whole [§8]', async () => {
      const { source } = randomText(1024 ** 3);
      answer = body('text/csv', source);
      const socket = await askBySocket();
      const [begin] = await once(socket.resume(), 'data');
      expect(String(begin)).toMatch(/^HTTP\/1.1 200 /);
      source.destroy(new Error('gone'));
      let end = '';
      socket.on('data', (bytes) => {
        end = bytes.toString('latin1').slice(-5);
      });
      await once(socket, 'close');
      expect(end).not.toBe('0\r\n\r\n');
    });
  });
});

describe('the server', () => {
  const test = useTestApp();
  const get = (url: string, headers: Record<string, string> = {}) =>
    test.app.inject({ url, headers: { ...BROWSER, ...headers } });

  it.each(['/openapi.json', '/metrics', '/docs/static/swagger-ui.css'])('compresses %s [§7]', async (url) => {
    const plain = await test.app.inject(url);
    const { headers, rawPayload } = await get(url);
    expect(headers['content-encoding']).toBe('zstd');
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(headers['content-type']).toBe(plain.headers['content-type']);
  });

  it('compresses failures that name many fields [§8]', async () => {
    const payload = Object.fromEntries(Object.keys(TENANT_LIMITS).map((field) => [field, 'x'.repeat(1_000)]));
    const token = (await test.signIn()).result.accessToken;
    const headers = { ...BROWSER, authorization: `Bearer ${token}` };
    const answer = await test.app.inject({ method: 'POST', url: urlOf(tenantRoutes.create), payload, headers });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([400, 'zstd']);
    expect(JSON.parse(zstdDecompressSync(answer.rawPayload).toString())).toMatchObject({ status: 400, success: false });
  });

  it('answers a part of a file as it is, and 304 to who has a compressed one [§7]', async () => {
    const url = '/docs/static/swagger-ui.css';
    const part = await get(url, { range: 'bytes=0-1999' });
    expect([part.statusCode, part.headers['content-encoding'], part.rawPayload.length]).toEqual([
      206,
      undefined,
      2_000,
    ]);
    const whole = await get(url);
    const again = await get(url, { 'if-none-match': String(whole.headers.etag) });
    expect([again.statusCode, again.headers.vary, again.body]).toEqual([304, 'Accept-Encoding', '']);
  });

  it('never compresses an answer with a token, nor lets a proxy do so [DECISIONS §4]', async () => {
    const strict = { 'accept-encoding': 'gzip, identity;q=0' };
    const call = (route: ContractRoute, body: object, token?: string) =>
      test.call(route, { body, headers: strict, ...(token && { token }) });
    const signedIn = await call(authRoutes.authenticate, {
      username: ADMINISTRATOR.userName,
      password: ADMINISTRATOR.password,
    });
    const { accessToken, refreshToken } = signedIn.result;
    const answers = [
      signedIn,
      await call(authRoutes.refresh, { accessToken, refreshToken }),
      await call(authRoutes.generateToken, { name: 'Report', minutes: 5 }, accessToken),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers['content-encoding'], headers['cache-control']]).toEqual([
        200,
        undefined,
        'no-store, no-transform',
      ]);
    }
    const shapeOf = ({ result }: ContractRoute) => z.toJSONSchema(result, { unrepresentable: 'any', io: 'input' });
    const holders = ROUTES.filter((route) =>
      /(token|key|recoveryCodes)":\{"(type|anyOf)"/i.test(JSON.stringify(shapeOf(route))),
    );
    expect(holders.length).toBeGreaterThan(9);
    expect(holders.filter(({ secret }) => !secret).map(({ path }) => path)).toEqual([]);
  });
});
