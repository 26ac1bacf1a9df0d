import { backupRoutes } from '@apotheca/contract/backups';
import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { bulksBy, resultsOf } from '../../../testing/bulks.ts';
import { withClient } from '../../../testing/databases.ts';
import { claimDatabase } from '../../../testing/operations.ts';

const test = useTestApp();
const { plan, start, report } = bulksBy(test, databaseBulkRoutes);

const create = async (code: string): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code) })).result.id;
const databaseIdOf = async (name: string) =>
  (await test.context.platform.selectFrom('databases').select('id').where('name', '=', name).executeTakeFirstOrThrow())
    .id;
const backupsOf = async (databaseName: string) =>
  (await test.call(backupRoutes.list, { query: { databaseName } })).result.length;
const stateOf = async (id: string) => (await test.call(operationRoutes.get, { query: { id } })).result.state;

it('backs up databases, named by themselves or by their tenants; one that is busy is refused with the reason [§2.25]', async () => {
  const ids = [await create('KEEP A'), await create('KEEP B'), await create('KEEP C')];
  ids[1] = await databaseIdOf('KEEP B');
  const { result: planned } = await plan({ action: 'back-up', ids });
  await claimDatabase(test.context.pool, { id: await databaseIdOf('KEEP C'), name: 'KEEP C' });
  expect(await start(planned)).toMatchObject({ status: 200, message: '2 databases backed up and 1 refused.' });
  expect(resultsOf(await report(planned.id))).toEqual({
    'KEEP A': 'changed',
    'KEEP B': 'changed',
    'KEEP C': 'refused: KEEP C is being cloned (started by ada). Please try again when that has ended.',
  });
  expect([await backupsOf('KEEP A'), await backupsOf('KEEP B'), await backupsOf('KEEP C')]).toEqual([1, 1, 0]);
});

it('a cancellation cancels the backup that runs; the rest can be done later [§2.25]', async () => {
  const ids = [await create('STOP A'), await create('STOP B')];
  const { result: planned } = await plan({ action: 'back-up', ids });
  const operationId = await withClient(test.databaseUrl, async (client) => {
    await client.query('begin');
    // The first backup waits before it is begun.
    await client.query('lock table backups in share mode');
    const begun = await start(planned, { headers: { prefer: 'respond-async' } });
    const { operationId: id } = begun.result;
    await expect.poll(() => stateOf(id)).toBe('running');
    expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
    await client.query('rollback');
    return id;
  });
  await expect.poll(() => stateOf(operationId)).toBe('cancelled');
  const again = await test.call(operationRoutes.retry, { query: { id: operationId } });
  await expect.poll(() => stateOf(again.result.operationId)).toBe('succeeded');
  expect(resultsOf(await report(planned.id))).toEqual({ 'STOP A': 'changed', 'STOP B': 'changed' });
  expect([await backupsOf('STOP A'), await backupsOf('STOP B')]).toEqual([1, 1]);
});

it.each([
  ['has failed by a full disk', 'failed', '{"code":"disk-full"}'],
  // As a kill leaves it that comes before the end is noted of the row.
  ['was cancelled', 'cancelled', '{"code":"cancelled"}'],
])('started again, it does anew what %s [§2.25] [DECISIONS §8]', async (_, state, error) => {
  const { pool } = test.context;
  const codes = [`${state} A`, `${state} B`].map((code) => code.toUpperCase());
  const { result: planned } = await plan({ action: 'back-up', ids: await Promise.all(codes.map(create)) });
  await pool.query(`
    create function fill_disk() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$;
    create trigger fill_disk before update on backups for each row
      when (new.database_name = '${codes[0]}' and new.state = 'ready') execute function fill_disk()`);
  expect(await start(planned)).toMatchObject({ status: 507, message: expect.stringContaining('is full') });
  const { operationId } = (await report(planned.id)).result;
  await pool.query('drop function fill_disk cascade');
  const values = [state, error, codes[0]];
  await pool.query(`update operations set state = $1, error = $2 where kind = 'backup' and database_name = $3`, values);
  const again = await test.call(operationRoutes.retry, { query: { id: operationId } });
  await expect.poll(() => stateOf(again.result.operationId)).toMatch(/succeeded|failed/);
  expect(Object.values(resultsOf(await report(planned.id)))).toEqual(['changed', 'changed']);
});

/** How often it was asked of an operation and the answer waits for a lock. */
const WAITS = `select pid, query_start from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'select "id"%from "operations" where "id" = %'`;

it('a late answer about the backup that runs is not its end [§2.25]', async () => {
  const { pool } = test.context;
  const { result: planned } = await plan({ action: 'back-up', ids: [await create('LATE A')] });
  await pool.query(`
    create function hold_up() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock_shared(4714);
      return new;
    end $$;
    create trigger hold_up before update on backups for each row when (new.state = 'ready') execute function hold_up()`);
  await withClient(test.databaseUrl, async (client) => {
    // Within a transaction a session sees the activity as it was at first.
    const count = async (text: string) => (await pool.query(text)).rowCount;
    await client.query('select pg_advisory_lock(4714)');
    const { operationId } = (await start(planned, { headers: { prefer: 'respond-async' } })).result;
    const held = `select from pg_locks where locktype = 'advisory' and objid = 4714 and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(() => count(held)).toBe(1);
    await client.query('begin; lock table operations in access exclusive mode');
    await expect.poll(() => count(WAITS)).toBeGreaterThan(0);
    const [asked] = (await pool.query(WAITS)).rows;
    const isWaiting = async () => {
      const { rows } = await pool.query(WAITS);
      return rows.some((row) => row.pid === asked.pid && +row.query_start === +asked.query_start);
    };
    await expect.poll(isWaiting).toBe(false);
    await client.query('commit');
    await client.query('select pg_advisory_unlock(4714)');
    await expect.poll(() => stateOf(operationId)).toBe('succeeded');
  });
  expect(resultsOf(await report(planned.id))).toEqual({ 'LATE A': 'changed' });
});

it('upgrades what is not at the newest schema; it is for who may back up [§2.25]', async () => {
  const ids = [await create('OLD A'), await create('OLD B')];
  expect(resultsOf(await plan({ action: 'upgrade', ids }))).toEqual({ 'OLD A': 'same', 'OLD B': 'same' });
  const viewer = (await signInTo(test, await insertAccount(test))).accessToken;
  expect(await plan({ action: 'back-up', ids }, { token: viewer })).toMatchObject({ status: 403 });
});
