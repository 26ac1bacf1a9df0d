import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenantInput } from '../testing/builders.ts';
import { createPlatformDatabase, type TestDatabase, withClient } from '../testing/databases.ts';
import { csvOf } from '../testing/imports.ts';
import { operationsEnded } from '../testing/operations.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../testing/server-process.ts';

/** Key of the advisory lock that a row waits for. */
const STOP = 4_712;
/** Other tests have databases in the same cluster. */
const MARK = `KILLED${randomBytes(4).toString('hex').toUpperCase()}`;
const CODES = ['A', 'B', 'C', 'D'].map((letter) => `${MARK}_${letter}`);

const OTHER = `${MARK}_OTHER`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createPlatformDatabase();
});
afterAll(() => database.drop());

/** Waits at two places: before the end of the row on line 3 is noted, and before the database of the tenant on line 4 is ready. */
const INSTALL = `
  create function stop_import() returns trigger language plpgsql as $$
  begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock_shared(${STOP});
    return new;
  end $$;
  create trigger stop_row before update on batch_rows for each row
    when (new.line = 3 and new.state = 'done') execute function stop_import();
  create trigger stop_database before update on databases for each row
    when (new.name = '${CODES[2]}' and new.state = 'ready' and old.state = 'creating') execute function stop_import()`;

const WAITING = `
  select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${STOP}
    and database = (select oid from pg_database where datname = current_database())`;

/** Runs `work` when something waits at a place, and ends the session that waits there. */
async function killedAtStop(client: pg.Client, work: () => Promise<void>): Promise<void> {
  while (!(await client.query(WAITING)).rowCount) await setTimeout(20);
  await work();
  await client.query(`select pg_terminate_backend(pid, 20000) from (${WAITING}) as waiting`);
}

/** Has a database of somebody else's half made, and lets it not be dropped; or takes that back. */
async function leaveUnsettled(client: pg.Client, isLeft: boolean): Promise<void> {
  const change = 'update databases set state = $1 where name = $2 returning physical_name as name';
  const { rows } = await client.query(change, [isLeft ? 'creating' : 'ready', OTHER]);
  await client.query(`alter database "${rows[0].name}" is_template ${isLeft}`);
}

it('a kill after a row was written, and one while a tenant is made: each row is written once [DECISIONS §8]', async () => {
  const fields = Object.entries({
    'Tenant Code': 'code',
    'Customer Name/Code': 'customerCode',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Email: 'email',
    Phone: 'phone',
    EMR: 'emrId',
    'Time Zone': 'timezoneId',
    'Database Name': 'databaseName',
  } as const);
  const rows = CODES.map((code) => fields.map(([, field]) => String(tenantInput(code)[field])));
  const file = csvOf(
    fields.map(([heading]) => heading),
    ...rows,
  );
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off' };
    let server = await startServer(environment);
    let token = await signInToServer(server.url);
    await callServer(server.url, tenantRoutes.create, { token, body: tenantInput(OTHER) });
    const { result: plan } = await callServer(server.url, tenantImportRoutes.plan, { token, body: file });
    await withClient(database.url, async (client) => {
      await client.query(INSTALL);
      await client.query('select pg_advisory_lock($1)', [STOP]);
      const query = { id: plan.id, plan: plan.digest };
      const killed = callServer(server.url, tenantImportRoutes.start, { token, query }).catch(() => undefined);
      await killedAtStop(client, () => server.kill());
      await killed;
      await client.query('drop trigger stop_row on batch_rows');
      await leaveUnsettled(client, true);
      server = await startServer(environment);
      await killedAtStop(client, () => server.kill());
      await client.query('drop trigger stop_database on databases');
    });
    server = await startServer(environment);
    await operationsEnded(database.url);
    await withClient(database.url, (client) => leaveUnsettled(client, false));
    token = await signInToServer(server.url);
    const { result: report } = await callServer(server.url, tenantImportRoutes.report, {
      token,
      query: { id: plan.id },
    });
    expect(report.rows).toMatchObject(CODES.map((record) => ({ record, result: 'created', reasons: [] })));
    const { result: tenants } = await callServer(server.url, tenantRoutes.list, { token });
    expect(tenants.map(({ code }: { code: string }) => code)).toEqual([...CODES, OTHER]);
    const { rows: entries } = await withClient(database.url, (client) =>
      client.query(
        "select action, count(*)::int from audit_entries where action ~ '^tenants.(create|creation|import)' group by action order by action",
      ),
    );
    expect(entries).toEqual([
      { action: 'tenants.create', count: CODES.length + 1 },
      { action: 'tenants.creation-undone', count: 1 },
      { action: 'tenants.import', count: 1 },
    ]);
    await server.interrupt();
  });
});
