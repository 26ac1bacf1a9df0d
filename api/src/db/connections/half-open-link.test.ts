import { userRoutes } from '@apotheca/contract/users';
import { it } from 'vitest';
import { editedUser, userInput } from '../../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, withClient } from '../../testing/databases.ts';
import {
  callServer,
  type ServerProcess,
  signInToServer,
  startServer,
  withDataDir,
} from '../../testing/server-process.ts';
import { timedWithoutStalls } from '../../testing/stalls.ts';
import { openTcpProxy } from '../../testing/tcp-proxy.ts';

/** After how many milliseconds others can write again, by PostgreSQL's own limits. */
const LONGEST = 15_000;

/** Two servers on one database of their own, one of them behind a proxy. */
async function withTwoServers(
  work: (
    servers: { near: ServerProcess; far: ServerProcess },
    proxy: Awaited<ReturnType<typeof openTcpProxy>>,
    database: TestDatabase,
  ) => Promise<void>,
): Promise<void> {
  const database = await createPlatformDatabase();
  const proxy = await openTcpProxy(database.url);
  await withDataDir(async (dataDir) => {
    const start = (url: string) =>
      startServer({
        DATABASE_URL: url,
        APOTHECA_DATA_DIR: dataDir,
        APOTHECA_DEMO: 'off',
        LOG_LEVEL: 'silent',
      });
    const [near, far] = [await start(database.url), await start(proxy.url)];
    try {
      await work({ near, far }, proxy, database);
    } finally {
      await Promise.all([near.kill(), far.kill()]);
      await proxy.close();
    }
  });
  await database.drop();
}

// Most of their time they wait for limits.
it.concurrent.for([
  // As no other work of a server sends it: it limits the roles of tenants, and verifies the trail, while it starts.
  ["the users' lock", 'pg_advisory_xact_lock($1)'],
  ['the head of the audit trail', '"audit_head" for update'],
] as const)(
  'when the link of a session that holds %s is lost half-open, others write again within 15 s [DECISIONS §3]',
  async ([, text], { expect }) => {
    await withTwoServers(({ near, far }, proxy, database) =>
      withClient(database.url, async (client) => {
        const token = await signInToServer(near.url);
        const { rows } = await client.query("select id from roles where name = 'Viewer'");
        const roleId = rows[0].id as string;
        const userName = `lost ${text.length}`;
        const { id } = (await callServer(near.url, userRoutes.create, { token, body: userInput(userName, roleId) }))
          .result;
        const edit = (server: ServerProcess) =>
          callServer(server.url, userRoutes.edit, { token, body: { ...editedUser(userName, roleId), id } });
        const idle =
          "select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()";
        // The lock is lost 10 s after it was taken, and the call beside it has to wait 5 s for it: no time to connect first.
        const isHeld = async () => (await client.query(idle)).rowCount === 1;
        const cut = async () => {
          const swallowed = proxy.swallowAfter(text);
          let hasEnded = false;
          const cutOff = edit(far).finally(() => {
            hasEnded = true;
          });
          await swallowed;
          const timed = await timedWithoutStalls(async () => {
            await expect.poll(async () => hasEnded || (await isHeld())).toBe(true);
            const beside = await edit(near);
            await expect.poll(async () => (await edit(near)).status).toBe(200);
            return beside;
          });
          expect((await cutOff).status).toBe(503);
          return timed;
        };
        let { answer: beside, took } = await cut();
        // On a busy machine the call may come too late to wait for its whole time.
        while (beside.status === 200) ({ answer: beside, took } = await cut());
        // It gets an answer, although its lock is taken.
        expect(beside).toMatchObject({ status: 503, title: 'Busy' });
        expect(took).toBeLessThan(LONGEST);
      }),
    );
  },
);
