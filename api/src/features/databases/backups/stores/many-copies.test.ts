import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import type { Platform, Trx } from '../../../../db/platform.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { claimCopy } from './copies.repository.ts';

const test = useTestApp();
const FULL = 'file:/mnt/full';
const FREE = 'file:/mnt/free';
const COUNT = 1_000;
/** Of each copy. */
const SIZE = 1_000;

afterEach(async () => {
  await test.context.pool.query('delete from backup_copies');
  await test.context.pool.query('delete from backups');
});

/** Backups of which a store has a copy that was read back within the last day, and is due again. */
const makeCopies = (count: number, store: string) =>
  test.context.pool.query(
    `with made as (
       insert into backups (id, database_name, origin, state, size_bytes, sha256, created_at)
       select gen_random_uuid(), 'MANY', 'uploaded', 'ready', $2, 'digest', now() from generate_series(1, $1) returning id
     )
     insert into backup_copies (backup_id, store, state, size_bytes, sha256, due_at, checked_at)
     select id, $3, 'copied', $2, 'digest', now(), now() - interval '1 hour' from made`,
    [count, SIZE, store],
  );

const claim = (platform: Platform, checkedBytes: number) =>
  claimCopy(platform, [FULL, FREE], { run: randomUUID(), lease: 60, checkedBytes });

/** How often a transaction begins to read a table. */
async function countReads(trx: Trx, table: string): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select (seq_scan + idx_scan)::int as reads from pg_stat_xact_user_tables where relname = ${table}`.execute(trx);
  return rows[0]?.reads ?? 0;
}

it('claims a check in a few reads, however many are due, and none of a store that had its share of the day [DECISIONS §13]', async () => {
  await makeCopies(COUNT, FULL);
  await makeCopies(1, FREE);
  const reads = await test.context.platform.transaction().execute(async (trx) => {
    expect(await claim(trx, COUNT * SIZE)).toMatchObject({ store: FREE, state: 'copied' });
    return countReads(trx, 'backup_copies');
  });
  expect(reads).toBeLessThan(10);
  expect(await claim(test.context.platform, COUNT * SIZE)).toBeUndefined();
  expect(await claim(test.context.platform, COUNT * SIZE + 1)).toMatchObject({ store: FULL, state: 'copied' });
});

it('copies and removes in a store that had its share of the day [DECISIONS §13]', async () => {
  await makeCopies(2, FULL);
  await test.context.pool.query("update backup_copies set state = 'deleting'");
  expect(await claim(test.context.platform, 0)).toMatchObject({ store: FULL, state: 'deleting' });
  await test.context.pool.query("update backup_copies set state = 'waiting' where run is null");
  expect(await claim(test.context.platform, 0)).toMatchObject({ store: FULL, state: 'copying' });
});
