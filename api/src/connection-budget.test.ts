import { setTimeout } from 'node:timers/promises';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropDatabaseAndRole } from './db/cluster/cluster.ts';
import { asCluster } from './db/cluster/session.ts';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { openPlatform } from './db/platform.ts';
import { tenantInput } from './testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, whenUnused, withClient } from './testing/databases.ts';
import { callServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';

const TENANTS = 30;
/** Nearly four times as many in all as there are connections. Each must be answered within 10 s, on a busy machine too. */
const CALLS = 5;
/** The default of APOTHECA_MAX_CONNECTIONS. */
const BUDGET = 40;

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
});
afterAll(async () => {
  const { platform } = openPlatform({ url: database.url, maxConnections: 1 });
  const rows = await platform.selectFrom('databases').select(['physicalName', 'roleName']).execute();
  for (const row of rows) await whenUnused(() => dropDatabaseAndRole(asCluster(platform), row));
  await platform.destroy();
  await database.drop();
});

/** Counts an installation's connections until `until` resolves. @returns the highest count */
async function watchConnections(until: Promise<unknown>): Promise<number> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  return withClient(withDatabaseName(database.url, 'postgres'), async (client) => {
    const { rows } = await withClient(database.url, (own) =>
      own.query('select current_database() as name union all select physical_name from databases'),
    );
    let most = 0;
    while (!isOver) {
      const { rows: counted } = await client.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = any($1) and backend_type = 'client backend'`,
        [rows.map(({ name }) => name)],
      );
      most = Math.max(most, counted[0].count);
      // Without it the counting takes most of what the machine has.
      await setTimeout(20);
    }
    return most;
  });
}

it(`${CALLS} calls for each of ${TENANTS} tenants at once are answered within ${BUDGET} connections [DECISIONS §6]`, async () => {
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
    const server = await startServer(environment);
    const token = await signInToServer(server.url);
    const codes = Array.from({ length: TENANTS }, (_, index) => `BUDGET${index}`);
    // All at once would wait too long for the few connections that creating tenants may use.
    const turn = pLimit(5);
    const created = await Promise.all(
      codes.map((code) => turn(() => callServer(server.url, tenantRoutes.create, { token, body: tenantInput(code) }))),
    );
    expect(created.map(({ status }) => status)).toEqual(codes.map(() => 200));
    const answers = Promise.all(
      codes.flatMap((databaseName) =>
        Array.from({ length: CALLS }, () =>
          callServer(server.url, databaseRoutes.details, { token, query: { databaseName } }),
        ),
      ),
    );
    const most = await watchConnections(answers);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: TENANTS * CALLS }, () => 200));
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(BUDGET);
    expect(server.output()).not.toMatch(/too many clients/);
    await server.interrupt();
  });
});
