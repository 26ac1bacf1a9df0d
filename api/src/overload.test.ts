import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlatformDatabase, type TestDatabase, withClient } from './testing/databases.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { callServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';

const TENANTS = IS_LONG_RUN ? 10_000 : 5_000;
const CALLS = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into tenants select
         gen_random_uuid(), 'CLINIC' || n, 'Clinic number ' || n, 'Clinic number ' || n, 'Ines', 'Moreau ' || n,
         'ines' || n || '@clinic.test', '(425) 555-0134', n || ' Shore Drive', '', '', 'Everett', 'WA', '98201',
         'athenahealth', 'America/Los_Angeles', 'live', '1.0', '', '', '', '', '', 'Monthly',
         date '2026-01-01', date '2099-01-01', 25, true, null, null, now(), now()
       from generate_series(1, $1) n`,
      [TENANTS],
    );
    await client.query(
      `insert into databases (id, name, physical_name, role_name, role_password, tenant_id, state, created_at, schema_version)
       select gen_random_uuid(), code, lower('db_' || code), lower('db_' || code), '', id, 'ready', now(), 11 from tenants`,
    );
    await client.query('analyze');
  });
});
afterAll(() => database.drop());

it(`${CALLS} lists of ${TENANTS} tenants at once in a small memory are answered, or refused as too much [§8]`, async () => {
  await withDataDir(async (dataDir) => {
    const server = await startServer({
      DATABASE_URL: database.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_DEMO: 'off',
      LOG_LEVEL: 'silent',
      NODE_OPTIONS: '--max-old-space-size=128',
    });
    try {
      const token = await signInToServer(server.url);
      const answers = await Promise.all(
        Array.from({ length: CALLS }, async () => {
          const response = await fetch(`${server.url}/api${tenantRoutes.list.path}`, {
            headers: { authorization: `Bearer ${token}` },
          });
          const { status, title, result } = (await response.json()) as { status: number; title?: string; result?: [] };
          return { status, title, rows: result?.length, retryAfter: response.headers.get('retry-after') };
        }),
      );
      const list = { status: 200, title: undefined, rows: TENANTS, retryAfter: null };
      const busy = { status: 503, title: 'Busy', rows: undefined, retryAfter: '2' };
      for (const answer of answers) expect(answer).toEqual(answer.status === 200 ? list : busy);
      // The server has recovered.
      await expect.poll(async () => (await callServer(server.url, tenantRoutes.list, { token })).status).toBe(200);
    } finally {
      await server.kill();
    }
  });
});
