import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenantInput } from '../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, withClient } from '../testing/databases.ts';
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
    const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
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
}, 180_000);
