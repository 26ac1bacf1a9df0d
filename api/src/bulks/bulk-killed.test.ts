import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { operationRoutes } from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_SECRET } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, withClient } from '../testing/databases.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { operationsEnded } from '../testing/operations.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../testing/server-process.ts';

/** Key of the advisory lock that a row waits for. */
const STOP = 4_713;
/** Other tests have databases in the same cluster. */
const MARK = `MANY${randomBytes(4).toString('hex').toUpperCase()}`;
const CODES = ['A', 'B', 'C'].map((letter) => `${MARK}_${letter}`);

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
});
afterAll(() => database.drop());

const environmentOf = (dataDir: string) => ({
  DATABASE_URL: database.url,
  APOTHECA_DATA_DIR: dataDir,
  // Of both tests, as they share the control database.
  APOTHECA_SECRET: TEST_SECRET,
  APOTHECA_DEMO: 'off',
});

/** Waits at two places: before the end of the first row is noted, and before the backup of the second one is ready. */
const INSTALL = `
  create function stop_bulk() returns trigger language plpgsql as $$
  begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock_shared(${STOP});
    return new;
  end $$;
  create trigger stop_row before update on batch_rows for each row
    when (new.line = 1 and new.state = 'done') execute function stop_bulk();
  create trigger stop_backup before update on backups for each row
    when (new.database_name = '${CODES[1]}' and new.state = 'ready' and old.state = 'writing') execute function stop_bulk()`;

/** Waits before the end of a row is noted, at two rows. */
const installRowStops = (rows: readonly number[]) => `
  create function stop_many() returns trigger language plpgsql as $$
  begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock_shared(${STOP});
    return new;
  end $$;
  ${rows.map((row) => `create trigger stop_at_${row} before update on batch_rows for each row when (new.line = ${row} and new.state = 'done') execute function stop_many();`).join('\n')}`;

const WAITING = `
  select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${STOP}
    and database = (select oid from pg_database where datname = current_database())`;

/** Runs `work` when something waits at a place, and ends the session that waits there. */
async function killedAtStop(client: pg.Client, work: () => Promise<void>): Promise<void> {
  while (!(await client.query(WAITING)).rowCount) await setTimeout(20);
  await work();
  await client.query(`select pg_terminate_backend(pid, 20000) from (${WAITING}) as waiting`);
}

it('a kill after a backup, and one within a backup: each database is backed up once [DECISIONS §8]', async () => {
  await withDataDir(async (dataDir) => {
    const environment = environmentOf(dataDir);
    let server = await startServer(environment);
    let token = await signInToServer(server.url);
    const ids: string[] = [];
    for (const code of CODES) {
      const { result } = await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(code) });
      ids.push(result.id);
    }
    const body = { action: 'back-up', ids };
    const { result: plan } = await callServer(server.url, databaseBulkRoutes.plan, { token, body });
    await withClient(database.url, async (client) => {
      await client.query(INSTALL);
      await client.query('select pg_advisory_lock($1)', [STOP]);
      const query = { id: plan.id, plan: plan.digest };
      const killed = callServer(server.url, databaseBulkRoutes.start, { token, query }).catch(() => undefined);
      await killedAtStop(client, () => server.kill());
      await killed;
      await client.query('drop trigger stop_row on batch_rows');
      server = await startServer(environment);
      await killedAtStop(client, () => server.kill());
      await client.query('drop trigger stop_backup on backups');
    });
    server = await startServer(environment);
    await operationsEnded(database.url);
    token = await signInToServer(server.url);
    const query = { id: plan.id };
    const { result: report } = await callServer(server.url, databaseBulkRoutes.report, { token, query });
    expect(report).toMatchObject({ state: 'succeeded', rows: CODES.map((record) => ({ record, result: 'changed' })) });
    const { rows: backups } = await withClient(database.url, (client) =>
      client.query('select database_name, count(*)::int from backups group by database_name order by database_name'),
    );
    expect(backups).toEqual(CODES.map((database_name) => ({ database_name, count: 1 })));
    await server.interrupt();
  });
});

/** How many records are changed at once, and at which of them it is cancelled, and then killed. */
const [MANY, CANCELLED_AT, KILLED_AT] = IS_LONG_RUN ? [500, 250, 375] : [40, 20, 30];

/** Users without passwords. @returns their ids in order */
const makeUsers = (client: pg.Client, count: number) =>
  client
    .query(
      `insert into users (user_name, email, first_name, last_name, role_id)
       select 'many' || n, 'many' || n || '@people.test', 'Pat', 'Doe', (select id from roles where name = 'Viewer')
       from generate_series(1, $1) n returning id`,
      [count],
    )
    .then(({ rows }) => rows.map(({ id }) => id as string));

it(`${MANY} at once, cancelled halfway, started again and killed: each is changed once, with its result [§2.25] [DECISIONS §8]`, async () => {
  await withDataDir(async (dataDir) => {
    const environment = environmentOf(dataDir);
    let server = await startServer(environment);
    const token = await signInToServer(server.url);
    const call = (route: ContractRoute, options: object) => callServer(server.url, route, { token, ...options });
    const ids = await withClient(database.url, (client) => makeUsers(client, MANY));
    const plan = (await call(userBulkRoutes.plan, { body: { action: 'deactivate', ids } })).result;
    const report = async () => (await call(userBulkRoutes.report, { query: { id: plan.id } })).result;
    const untilEnded = async (state: string) =>
      expect.poll(async () => (await report()).state, { interval: 50 }).toBe(state);
    await withClient(database.url, async (client) => {
      await client.query(installRowStops([CANCELLED_AT, KILLED_AT]));
      await client.query('select pg_advisory_lock($1)', [STOP]);
      const started = call(userBulkRoutes.start, { query: { id: plan.id, plan: plan.digest } });
      while (!(await client.query(WAITING)).rowCount) await setTimeout(20);
      const { operationId } = await report();
      await call(operationRoutes.cancel, { query: { id: operationId } });
      // The run finds the cancellation with its next sign of life, which comes while the row waits.
      const { rows } = await client.query('select now()');
      const alive = 'select from operations where id = $1 and heartbeat_at > $2';
      while (!(await client.query(alive, [operationId, rows[0].now])).rowCount) await setTimeout(20);
      await client.query('select pg_advisory_unlock($1)', [STOP]);
      await started;
      await untilEnded('cancelled');
      expect((await report()).counts).toMatchObject({ changed: CANCELLED_AT, waiting: MANY - CANCELLED_AT });

      await client.query('select pg_advisory_lock($1)', [STOP]);
      await call(operationRoutes.retry, { query: { id: operationId } });
      await killedAtStop(client, () => server.kill());
      await client.query(`drop trigger stop_at_${KILLED_AT} on batch_rows`);
    });
    server = await startServer(environment);
    await operationsEnded(database.url);
    const done = await report();
    expect(done).toMatchObject({ state: 'succeeded', counts: { changed: MANY, refused: 0, waiting: 0 } });
    expect(done.rows.map((row: { id: string; result: string }) => [row.id, row.result])).toEqual(
      ids.map((id) => [id, 'changed']),
    );
    const { rows } = await withClient(database.url, (client) =>
      client.query(
        `select count(*)::int as entries, count(distinct entity_id)::int as users from audit_entries
         where action = 'users.deactivate' and entity_id = any($1)`,
        [ids],
      ),
    );
    expect(rows).toEqual([{ entries: MANY, users: MANY }]);
    await server.interrupt();
  });
});
