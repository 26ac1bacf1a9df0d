import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { tenantInput, userInput } from '../../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, withClient } from '../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../testing/operation-stops.ts';
import { operationsEnded } from '../../testing/operations.ts';
import {
  callServer,
  type ServerProcess,
  signInToServer,
  startServer,
  withDataDir,
} from '../../testing/server-process.ts';
import { openTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { dropDatabaseAndRole } from '../cluster/cluster.ts';
import { openPlatform } from '../platform.ts';

/** Longest that a call may take, in milliseconds: the server ends it by its own clock. */
const LONGEST = 10_000;
const TENANT = 'LINKED';

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
  await installStops(database.url);
});
afterAll(async () => {
  const { platform } = openPlatform({ url: database.url, maxConnections: 1 });
  const rows = await platform.selectFrom('databases').select(['physicalName', 'roleName']).execute();
  for (const row of rows) await dropDatabaseAndRole(platform, row);
  await platform.destroy();
  await database.drop();
});

let proxy: TcpProxy;
let server: ServerProcess;
let token: string;
let roleId: string;
afterEach(async () => {
  await server.kill();
  await proxy.close();
});

/** Runs `work` with a server that reaches PostgreSQL over a proxy. */
function behindProxy(work: () => Promise<void>): Promise<void> {
  return withDataDir(async (dataDir) => {
    proxy = await openTcpProxy(database.url);
    server = await startServer({
      DATABASE_URL: proxy.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      APOTHECA_SECRET: 'one secret for every server of this file',
      LOG_LEVEL: 'silent',
    });
    token = await signInToServer(server.url);
    roleId = await withClient(database.url, async (client) => {
      const { rows } = await client.query("select id from roles where name = 'Viewer'");
      return rows[0].id;
    });
    await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(TENANT) });
    await work();
  });
}

/** One call for each way to PostgreSQL: a list, a transaction, a read of a tenant's database, utility commands. */
const calls = (mark: string) => [
  () => callServer(server.url, userRoutes.list, { token }),
  () => callServer(server.url, userRoutes.create, { token, body: userInput(`user ${mark}`, roleId) }),
  () => callServer(server.url, databaseRoutes.details, { token, query: { databaseName: TENANT } }),
  () => callServer(server.url, tenantRoutes.create, { token, body: tenantInput(`NEW${mark}`) }),
];

/** Makes all calls at once. @returns how each ended, and how long the slowest took in milliseconds */
async function timed(mark: string) {
  const began = performance.now();
  const answers = await Promise.all(calls(mark).map((call) => call()));
  return { answers, took: performance.now() - began };
}

it.each([
  ['is silent', 'silent'],
  ['resets every link', 'reset'],
  ['answers each message 3 s late', { delay: 3_000 }],
] as const)(
  'while PostgreSQL %s every call is a 503 within 10 s, and afterwards goes on [DECISIONS §3]',
  async (title, mode) => {
    const mark = title.replace(/\W/g, '').toUpperCase().slice(0, 12);
    await behindProxy(async () => {
      proxy.set(mode);
      const { answers, took } = await timed(`${mark}A`);
      expect(answers.map(({ status }) => status)).toEqual(calls('').map(() => 503));
      expect(answers.map((answer) => answer.title)).toEqual(
        calls('').map(() => expect.stringMatching(/^(Database unavailable|Busy)$/)),
      );
      expect(took).toBeLessThan(LONGEST);
      proxy.heal();
      for (const call of calls(`${mark}B`)) await expect.poll(async () => (await call()).status).toBe(200);
    });
  },
);

it.each([
  ['a list', 0, 'from users u'],
  ['a transaction', 1, 'insert into "users"'],
  ["a read of a tenant's database", 2, 'select count(*)::int from'],
  ['a utility command', 3, 'create database'],
] as const)(
  'when the link of %s is lost half-open, its call is a 503 within 10 s [DECISIONS §3]',
  async (_, index, text) => {
    await behindProxy(async () => {
      const swallowed = proxy.swallowAfter(text);
      const began = performance.now();
      const answer = await calls(`HALF${index}`)[index]?.();
      expect(answer).toMatchObject({ status: 503, title: expect.stringMatching(/^(Database unavailable|Busy)$/) });
      expect(performance.now() - began).toBeLessThan(LONGEST);
      await swallowed;
    });
  },
);

it('an operation whose links become silent is run again when they are back, and succeeds [DECISIONS §8]', async () => {
  await behindProxy(async () => {
    const copy = { copyFrom: TENANT, databaseName: 'COPY' };
    const start = () =>
      callServer(server.url, databaseRoutes.copy, { token, query: copy }).catch(() => ({ status: 202 }));
    await holdAt(database.url, { kind: 'clone', point: 'step 1' }, start, async () => {
      proxy.set('silent');
      // The server gives up the operation's session and opens other links, which become silent too.
      expect((await callServer(server.url, userRoutes.list, { token })).status).toBe(503);
    });
    proxy.heal();
    await removeStops(database.url);
    await operationsEnded(database.url);
    const { result } = await callServer(server.url, operationRoutes.list, { token });
    expect(result).toMatchObject([{ kind: 'clone', databaseName: 'COPY', state: 'succeeded' }]);
  });
});
