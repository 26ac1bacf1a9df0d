import { readdir } from 'node:fs/promises';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { holdAt, installStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';

const test = useTestApp();
let urlOfTenant: string;
beforeAll(async () => {
  expect(await test.call(tenantRoutes.create, { body: tenantInput('LOCKED') })).toMatchObject({ status: 200 });
  const { physicalName } = await getDatabaseByName(test.context, 'LOCKED');
  urlOfTenant = withDatabaseName(test.databaseUrl, physicalName);
  await installStops(test.databaseUrl);
});

const startBackup = async (): Promise<string> => {
  const backup = { query: { databaseName: 'LOCKED' }, headers: { prefer: 'respond-async' } };
  return (await test.call(backupRoutes.create, backup)).result.operationId;
};
const operation = (id: string) =>
  test.context.platform
    .selectFrom('operations')
    .select(['state', 'attempts', 'outlived', 'message'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const attemptsOf = async (id: string) => (await operation(id)).attempts;
const backedUp = (attempts: number) => ({
  state: 'succeeded',
  attempts,
  outlived: attempts - 1,
  message: 'Success! LOCKED has been backed up.',
});

/** Sessions that hold the lock of an operation. The queue's own upkeep holds another advisory lock once a minute. */
const LOCKED = `
  select pid from pg_locks
  where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
    and classid::bigint << 32 | objid::bigint = hashtextextended('operation:' || $1, 0)`;

const holdTable = (holder: pg.Client) => holder.query('begin; lock table items in access exclusive mode');

/** Runs `work` while backups wait for a table. */
const whileTableHeld = (work: (database: pg.Client) => Promise<void>) =>
  withClient(urlOfTenant, async (holder) => {
    await holdTable(holder);
    await withClient(urlOfTenant, work);
    await holder.query('rollback');
  });

/** Programs and sessions that wait in a tenant's database for the table. */
async function waitingIn(database: pg.Client): Promise<{ pid: number; name: string; start: Date }[]> {
  const { rows } = await database.query(`
    select pid, application_name as name, backend_start as start from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows;
}

/** Ends the session that has the lock of a running operation. @returns a moment before that, by PostgreSQL's clock */
const loseLock = (id: string) =>
  withClient(test.databaseUrl, async (client) => {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    const ended = await client.query(`select pg_terminate_backend(pid, 60000) from (${LOCKED}) as locked`, [id]);
    expect(ended.rowCount).toBe(1);
    return rows[0]?.now ?? new Date();
  });

it('a run whose lock is lost ends, and only then the next one begins [DECISIONS §8]', async () => {
  let id = '';
  await whileTableHeld(async (database) => {
    id = await startBackup();
    await expect.poll(() => waitingIn(database)).not.toEqual([]);
    const lostAt = await loseLock(id);
    const since = async (isNew: boolean) => (await waitingIn(database)).filter(({ start }) => start > lostAt === isNew);
    await expect.poll(() => since(true)).not.toEqual([]);
    expect(await since(false), 'nothing of the first run is left').toEqual([]);
    expect(await attemptsOf(id)).toBe(2);
  });
  await operationsEnded(test.databaseUrl);
  expect(await operation(id)).toEqual(backedUp(2));
  expect(test.background).toEqual([]);
});

it('a run that fails when its lock is lost undoes nothing, and the next one does not fail for that [DECISIONS §8]', async () => {
  let id = '';
  await whileTableHeld(async (database) => {
    id = await startBackup();
    await expect.poll(() => waitingIn(database)).not.toEqual([]);
    const [waiting] = await waitingIn(database);
    await loseLock(id);
    await database.query('select pg_cancel_backend($1)', [waiting?.pid]);
    await expect.poll(() => attemptsOf(id)).toBe(2);
  });
  await operationsEnded(test.databaseUrl);
  expect(await operation(id)).toEqual(backedUp(2));
  expect(test.background).toEqual([]);
});

it('a run whose lock is lost as it goes on to its last step does nothing of it [DECISIONS §8]', async () => {
  let id = '';
  await withClient(urlOfTenant, async (holder) => {
    const start = async () => {
      id = await startBackup();
      return { status: 202 };
    };
    await holdAt(test.databaseUrl, { kind: 'backup', point: 'step 1' }, start, async () => {
      await loseLock(id);
      await holdTable(holder);
    });
    await expect.poll(async () => (await operation(id)).outlived).toBe(1);
    expect(await readdir(test.context.backupDir)).not.toContain(`${id}.dump`);
    await holder.query('rollback');
  });
  await operationsEnded(test.databaseUrl);
  expect(await operation(id)).toEqual(backedUp(2));
  expect(test.background).toEqual([]);
});
