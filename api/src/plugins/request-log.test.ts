import { once } from 'node:events';
import { connect } from 'node:net';
import { faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { faqInput } from '../testing/faqs.ts';
import { callServer, signInToServer } from '../testing/server-process.ts';
import { withServers } from '../testing/servers.ts';

const test = useTestApp();
const idOf = async (headers: Record<string, string> = {}, url = '/healthz') =>
  (await test.app.inject({ url, headers })).headers['x-request-id'];

describe('the id of a request', () => {
  it('is another one for each, and in each answer, also of what the router refuses [DECISIONS §13]', async () => {
    const ids = [await idOf(), await idOf(), await idOf({}, '/nothing'), await idOf({}, '/api/%zz')];
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['a', 'Root=1-67891233-abcdef012345678912345678'.slice(5), 'x'.repeat(64), '0c6f:1.2_3'])(
    'is the one of the caller where that is well formed: %s [DECISIONS §13]',
    async (given) => {
      expect(await idOf({ 'x-request-id': given })).toBe(given);
    },
  );

  it.each(['', 'x'.repeat(65), 'two words', '{"level":60}', 'a"b', 'ümlaut'])(
    'is a new one where it is not: %s [DECISIONS §13]',
    async (given) => {
      expect(await idOf({ 'x-request-id': given })).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

/** The lines of requests. Others may be among them, such as the anchor of the audit trail. */
const linesOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg === 'request');

describe('the log of requests', () => {
  it('has a line for each, with its route and user, and no address or value [DECISIONS §13]', async () => {
    const settings = { APOTHECA_REQUEST_LOG: 'on', LOG_LEVEL: 'error' };
    await withServers(1, settings, async ([server]) => {
      if (!server) throw new Error('There is no server.');
      const token = await signInToServer(server.url);
      await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('LOGGED') });
      const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'mine' };
      await fetch(`${server.url}/api/tenant/get?search=Ada`, { headers });
      await fetch(`${server.url}/Lovelace`, { headers: { 'x-request-id': 'nowhere' } });
      await expect.poll(() => linesOf(server.output()).length).toBe(4);
      const lines = linesOf(server.output());
      expect(lines.find(({ requestId }) => requestId === 'mine')).toEqual({
        level: 30,
        time: expect.any(Number),
        pid: server.pid,
        hostname: expect.any(String),
        requestId: 'mine',
        method: 'GET',
        route: '/api/tenant/get',
        status: 200,
        ms: expect.any(Number),
        userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        msg: 'request',
      });
      expect(lines.find(({ requestId }) => requestId === 'nowhere')).toMatchObject({ route: 'none', status: 404 });
      expect(server.output()).not.toMatch(/Ada|Lovelace|LOGGED/);
      // A caller that goes before its answer was written.
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        'POST /api/tenant/create HTTP/1.1\r\nHost: a\r\nX-Request-Id: gone\r\nContent-Type: application/json\r\nContent-Length: 90\r\n',
      );
      socket.write(`Authorization: Bearer ${token}\r\n\r\n{"re`);
      // Its other calls are answered meanwhile, so the server has read it.
      await fetch(`${server.url}/healthz`);
      socket.destroy();
      const gone = () => linesOf(server.output()).find(({ requestId }) => requestId === 'gone');
      await expect.poll(gone).toMatchObject({ method: 'POST', aborted: true });
    });
  });

  it('is silent without the setting [DECISIONS §13]', async () => {
    await withServers(1, { LOG_LEVEL: 'info' }, async ([server]) => {
      expect((await fetch(`${server?.url}/healthz`)).status).toBe(200);
      expect(linesOf(server?.output() ?? '')).toEqual([]);
    });
  });
});

describe('the log of failures', () => {
  it('has what PostgreSQL says, and not the rows that it says it of [DECISIONS §13]', async () => {
    await withServers(1, { LOG_LEVEL: 'error' }, async ([server], _, { databaseUrl }) => {
      if (!server) throw new Error('There is no server.');
      const token = await signInToServer(server.url);
      await withClient(databaseUrl, (client) =>
        client.query(`
          create function refuse() returns trigger language plpgsql as $$ begin
            raise 'not like that' using errcode = '23514', constraint = 'faqs__rule', detail = 'Failing row contains (Ada).', hint = 'Not Ada';
          end $$;
          create trigger refuse before insert on faqs for each row execute function refuse()`),
      );
      const { status } = await callServer(server.url, faqRoutes.create, { token, body: faqInput() });
      expect(status).toBe(500);
      await expect.poll(() => server.output()).toContain('request failed');
      const lines = server.output().split('\n');
      const line = lines.find((each) => each.includes('request failed')) ?? '';
      expect(JSON.parse(line).err).toMatchObject({
        type: 'DatabaseError',
        message: 'not like that',
        stack: expect.stringContaining('not like that'),
        code: '23514',
        constraint: 'faqs__rule',
      });
      expect(server.output()).not.toMatch(/Ada|refuse\(\)/);
    });
  });
});
