import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { openPlatform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import type { OperationsContext } from '../operations/operation-kind.ts';
import { insertAccount, signInTo } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';

const test = useTestApp();
let token: string;

beforeAll(async () => {
  token = (await signInTo(test, await insertAccount(test, { role: 'Viewer' }))).accessToken;
});

/** Another server over the test's context, with parts of it changed. */
async function withApp<T>(
  change: Partial<OperationsContext>,
  work: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<T>,
  options: { requestTimeout?: number } = {},
): Promise<T> {
  const app = await buildApp({ ...test.context, ...change }, { logLevel: 'silent', ...options });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

describe('a call that does not exist', () => {
  it.each([
    '/nothing',
    '/api',
    '/api/',
    '/api/tenant',
    '/identity/authenticate',
    '/api/tenant/get/all',
    '/API/tenant/get',
    '/../etc/passwd',
    '/api/%zz',
  ])('%s is a 404 in the form of every failure [§8]', async (url) => {
    const response = await test.app.inject(url);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect({ code: response.statusCode, ...response.json() }).toEqual({
      code: 404,
      status: 404,
      success: false,
      title: 'Not found',
      message: 'There is no such call.',
      messageKeys: [{ key: 'There is no such call.', parameters: {} }],
    });
  });

  it('below /api is no page of the console, whatever the client accepts [§8]', async () => {
    const response = await test.app.inject({ url: '/api/nothing', headers: { accept: 'text/html' } });
    expect(response.json()).toMatchObject({ status: 404 });
  });

  it.each([
    ['POST', '/api/tenant/get', 'GET'],
    ['DELETE', '/api/tenant/create?x=1', 'POST'],
    ['GET', '/identity/authenticate/authenticate', 'POST'],
    ['OPTIONS', '/api/tenant/edit', 'PUT'],
  ] as const)('%s %s is a 405 that allows %s [§8]', async (method, url, allow) => {
    const response = await test.app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
    expect(response.headers.allow).toBe(allow);
    expect({ code: response.statusCode, ...response.json() }).toEqual({
      code: 405,
      status: 405,
      success: false,
      title: 'Method not allowed',
      message: 'This call does not answer that method.',
      messageKeys: [{ key: 'This call does not answer that method.', parameters: {} }],
    });
  });
});

describe('while the database is away', () => {
  const AWAY = {
    status: 503,
    success: false,
    title: 'Database unavailable',
    message: 'The database cannot be reached. Please try again.',
    messageKeys: [
      { key: 'The database cannot be reached.', parameters: {} },
      { key: 'Please try again.', parameters: {} },
    ],
  };
  // Nothing listens on port 9.
  const closed = openPlatform({ url: 'postgresql://nobody:top-secret@127.0.0.1:9/nowhere' });
  afterAll(() => closed.platform.destroy());

  it('every call that needs it answers 503 with a fixed text [§8]', async () => {
    await withApp(closed, async (app) => {
      const headers = { authorization: `Bearer ${token}` };
      const answers = [
        await app.inject({
          method: 'POST',
          url: '/identity/authenticate/authenticate',
          payload: { username: 'admin', password: 'wrong horse' },
        }),
        await app.inject({ url: '/identity/auth/me', headers }),
        await app.inject({ url: '/api/tenant/get', headers }),
      ];
      for (const answer of answers) {
        expect({ code: answer.statusCode, body: answer.json() }).toEqual({ code: 503, body: AWAY });
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    });
  });

  it('a list says so too if the session could still be checked [§8]', async () => {
    await withApp({ pool: closed.pool }, async (app) => {
      const answer = await app.inject({ url: '/api/tenant/get', headers: { authorization: `Bearer ${token}` } });
      expect(answer.json()).toEqual(AWAY);
    });
  });

  it('the process is healthy and its pages are served [§3]', async () => {
    await withApp(closed, async (app) => {
      for (const url of ['/healthz', '/config.json', '/openapi.json', '/metrics']) {
        expect((await app.inject(url)).statusCode, url).toBe(200);
      }
    });
  });

  it('calls work again after its connections were cut: they open new ones [§8]', async () => {
    const { pool, platform } = openPlatform({ url: test.databaseUrl, maxConnections: 1 });
    await withApp({ pool, platform }, async (app) => {
      const isReady = async () => (await app.inject('/readyz')).statusCode === 200;
      expect(await isReady()).toBe(true);
      const { rows } = await pool.query('select pg_backend_pid() as pid');
      const gone = new Promise((fulfil) => pool.once('remove', fulfil));
      await sql`select pg_terminate_backend(${rows[0].pid}::int)`.execute(test.context.platform);
      await gone;
      expect(await isReady()).toBe(true);
    });
    await platform.destroy();
  });
});

describe('readiness', () => {
  it('is there with the database, and so is liveness [§3]', async () => {
    expect((await test.app.inject('/readyz')).json()).toEqual({
      status: 200,
      success: true,
      message: 'ready',
      result: { parts: { controlDatabase: 'up', disk: 'up' } },
    });
    expect((await test.app.inject('/healthz')).json()).toEqual({
      status: 200,
      success: true,
      message: 'ok',
      result: null,
    });
  });
});

describe('an unexpected error', () => {
  const failing = (error: unknown) => ({
    now: () => {
      throw error;
    },
  });

  it.each([
    new TypeError('secret-detail at /srv/apotheca/tokens.ts'),
    Object.assign(new Error('secret-detail'), { code: '42P01', detail: 'secret-detail', statusCode: 200 }),
    Object.assign(new Error('secret-detail'), { statusCode: 404, code: 'ENOENT', path: '/srv/secret-detail' }),
    new AppError('internal', { errors: undefined }),
  ])('(%s) is a 500 with a fixed text and the id of the request, and no more [§8]', async (error) => {
    await withApp(failing(error), async (app) => {
      const response = await app.inject({ url: '/api/tenant/get', headers: { authorization: `Bearer ${token}` } });
      expect({ code: response.statusCode, ...response.json() }).toEqual({
        code: 500,
        status: 500,
        success: false,
        title: 'Server error',
        message: expect.stringMatching(/^Something went wrong on the server\. Request [\w-]+\.$/),
        messageKeys: [
          { key: 'Something went wrong on the server.', parameters: {} },
          { key: 'Request {id}.', parameters: { id: expect.stringMatching(/^[\w-]+$/) } },
        ],
      });
      expect(response.payload + JSON.stringify(response.headers)).not.toMatch(/secret-detail|\.ts|at |stack/);
    });
  });

  it('has another id for each request, by which the log can be searched [§8]', async () => {
    await withApp(failing(new Error('boom')), async (app) => {
      const call = async () =>
        (await app.inject({ url: '/api/tenant/get', headers: { authorization: `Bearer ${token}` } })).json().message;
      expect(await call()).not.toBe(await call());
    });
  });
});

describe('/metrics', () => {
  it('counts requests by route and class of status, not by address [§7]', async () => {
    await withApp({}, async (app) => {
      const headers = { authorization: `Bearer ${token}` };
      await app.inject({ url: '/api/tenant/get?sortColumn=code', headers });
      await app.inject({ url: '/api/tenant/get', headers });
      await app.inject('/api/tenant/get');
      await app.inject('/some/stranger/path');
      const { body, headers: answered } = await app.inject('/metrics');
      expect(answered['content-type']).toMatch(/^text\/plain; version=/);
      expect(body).toContain('http_route_duration_seconds_count{route="GET /api/tenant/get"} 3\n');
      expect(body).toContain('http_route_duration_seconds_count{route="none"} 1\n');
      expect(body).toContain('http_request_duration_seconds_count{status="2xx"} 2\n');
      expect(body).toContain('http_request_duration_seconds_count{status="4xx"} 2\n');
      expect(body).not.toMatch(/stranger|sortColumn/);
    });
  });
});

describe('a slow client', () => {
  it('has 10 seconds for its headers [§7]', () => {
    expect(test.app.server.headersTimeout).toBe(10_000);
  });

  it.each([
    ['its headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\n'],
    [
      'its body',
      'POST /identity/auth/logout HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"re',
    ],
  ])('that sends half of %s is cut off when its time is up [§7]', async (_, half) => {
    const work = async (app: Awaited<ReturnType<typeof buildApp>>) => {
      await app.listen({ port: 0, host: '127.0.0.1' });
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.write(half);
      await once(socket, 'close');
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
    };
    await withApp({}, work, { requestTimeout: 200 });
  });
});

describe('a request whose end can be read in two ways', () => {
  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}'],
    ['a length and chunks', 'Content-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ])('as by %s, is refused, and its connection ends [§7]', async (_, rest) => {
    await withApp({}, async (app) => {
      await app.listen({ port: 0, host: '127.0.0.1' });
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      const answer = text(socket);
      socket.write(`POST /identity/auth/logout HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`);
      // No call has read it: that would name a missing field.
      expect(await answer).toMatch(/^HTTP\/1.1 400 .*Client Error/s);
    });
  });
});

describe('a call with a body over the network', () => {
  it('is answered like injected ones [§7]', async () => {
    await withApp({}, async (app) => {
      const origin = await app.listen({ port: 0, host: '127.0.0.1' });
      const me = await fetch(`${origin}/identity${authRoutes.me.path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await me.json()).toMatchObject({ status: 200, success: true });
      const refused = await fetch(`${origin}/api${tenantRoutes.create.path}`, { method: 'POST', body: '{}' });
      expect(await refused.json()).toMatchObject({ status: 401, message: 'Please sign in.' });
    });
  });
});
