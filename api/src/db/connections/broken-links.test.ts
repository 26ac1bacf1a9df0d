import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { tenantInput, userInput } from '../../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, whenUnused, withClient } from '../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../testing/operation-stops.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { callServer, type ServerProcess, signInToServer, startServer } from '../../testing/server-process.ts';
import { timedWithoutStalls } from '../../testing/stalls.ts';
import { openTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { dropDatabaseAndRole } from '../cluster/cluster.ts';
import { asCluster } from '../cluster/session.ts';
import { openPlatform } from '../platform.ts';

/** Longest that a call may take, in milliseconds: the server ends it by its own clock. */
const LONGEST = 10_000;
const TENANT = 'LINKED';
/** Only finds what hangs: so many servers take their time on a machine with much to do. */
const START_LIMIT = 900_000;

/** A server that reaches its PostgreSQL over a proxy, on a control database of its own: no test waits for the locks of another. */
interface LinkedServer {
  database: TestDatabase;
  proxy: TcpProxy;
  server: ServerProcess;
  token: string;
  roleId: string;
  close(): Promise<void>;
}

async function startLinkedServer(): Promise<LinkedServer> {
  const database = await createPlatformDatabase();
  await installStops(database.url);
  const proxy = await openTcpProxy(database.url);
  const dataDir = await mkdtemp(join(tmpdir(), 'apotheca-links-'));
  const server = await startServer({
    DATABASE_URL: proxy.url,
    APOTHECA_DATA_DIR: dataDir,
    APOTHECA_DEMO: 'off',
    APOTHECA_SECRET: 'one secret for every server of this file',
    LOG_LEVEL: 'silent',
  });
  const token = await signInToServer(server.url);
  const roleId = await withClient(database.url, async (client) => {
    const { rows } = await client.query("select id from roles where name = 'Viewer'");
    return rows[0].id;
  });
  await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(TENANT) });
  const close = async () => {
    await server.kill();
    await Promise.all([proxy.close(), rm(dataDir, { recursive: true, force: true })]);
    const { platform } = openPlatform({ url: database.url, maxConnections: 1 });
    const rows = await platform.selectFrom('databases').select(['physicalName', 'roleName']).execute();
    for (const row of rows) await whenUnused(() => dropDatabaseAndRole(asCluster(platform), row));
    await platform.destroy();
    await database.drop();
  };
  return { database, proxy, server, token, roleId, close };
}

const WAYS = [
  ['is silent', 'silent'],
  ['resets every link', 'reset'],
  ['answers each message 3 s late', { delay: 3_000 }],
] as const;
const LOST = [
  ['a list', 0, 'from users u'],
  ['a transaction', 1, 'insert into "users"'],
  ["a read of a tenant's database", 2, 'select count(*)::float8 from'],
  ['a utility command', 3, 'create database'],
] as const;

/** One for each test. They are started one after the other beforehand, so that no start is in the way of what is timed. */
const spare: LinkedServer[] = [];
const opened: LinkedServer[] = [];
beforeAll(async () => {
  while (opened.length < WAYS.length + LOST.length + 1) opened.push(await startLinkedServer());
  spare.push(...opened);
}, START_LIMIT);
afterAll(async () => {
  for (const each of opened) await each.close();
}, START_LIMIT);

function takeServer(): LinkedServer {
  const taken = spare.pop();
  if (!taken) throw new Error('There are fewer servers than tests.');
  return taken;
}

/** One call for each way to PostgreSQL: a list, a transaction, a read of a tenant's database, utility commands. */
const callsOf = ({ server: { url }, token, roleId }: LinkedServer, mark: string) => [
  () => callServer(url, userRoutes.list, { token }),
  () => callServer(url, userRoutes.create, { token, body: userInput(`user ${mark}`, roleId) }),
  () => callServer(url, databaseRoutes.details, { token, query: { databaseName: TENANT } }),
  () => callServer(url, tenantRoutes.create, { token, body: tenantInput(`NEW${mark}`) }),
];

/** Waits until PostgreSQL works on no statement any more that has a text. */
const untilDone = (url: string, text: string) =>
  withClient(url, async (client) => {
    const working = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state = 'active' and strpos(query, $1) > 0`;
    while ((await client.query(working, [text])).rowCount);
  });

// Most of their time they wait for limits.
describe.concurrent('a server whose links break', () => {
  it.for(WAYS)(
    'answers every call with 503 within 10 s while PostgreSQL %s, and afterwards goes on [DECISIONS §3]',
    async ([, mode], { expect }) => {
      const linked = takeServer();
      linked.proxy.set(mode);
      const { answer: answers, took } = await timedWithoutStalls(() =>
        Promise.all(callsOf(linked, 'A').map((call) => call())),
      );
      expect(answers).toEqual(
        answers.map(() =>
          expect.objectContaining({ status: 503, title: expect.stringMatching(/^(Database unavailable|Busy)$/) }),
        ),
      );
      expect(took).toBeLessThan(LONGEST);
      linked.proxy.heal();
      for (const call of callsOf(linked, 'B')) await expect.poll(async () => (await call()).status).toBe(200);
    },
  );

  it.for(LOST)(
    'answers a call with 503 within 10 s when the link of %s is lost half-open [DECISIONS §3]',
    async ([, index, text], { expect }) => {
      const linked = takeServer();
      const swallowed = linked.proxy.swallowAfter(text);
      const { answer, took } = await timedWithoutStalls(async () => {
        const answering = callsOf(linked, 'HALF')[index]?.();
        await swallowed;
        // PostgreSQL goes on with it, and as long as it does that is no silence.
        const { took: worked } = await timedWithoutStalls(() => untilDone(linked.database.url, text));
        return { ...(await answering), worked };
      });
      expect(answer).toMatchObject({ status: 503, title: expect.stringMatching(/^(Database unavailable|Busy)$/) });
      expect(took - answer.worked).toBeLessThan(LONGEST);
    },
  );

  it('runs an operation again whose links became silent, when they are back, and it succeeds [DECISIONS §8]', async ({
    expect,
  }) => {
    const { database, proxy, server, token } = takeServer();
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
