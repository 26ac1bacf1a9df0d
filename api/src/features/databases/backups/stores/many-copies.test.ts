import { randomUUID } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { readStorePlaces } from '../../../../backup-stores.ts';
import type { Platform, Trx } from '../../../../db/platform.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { mostRowsRead, statementsOf } from '../../../../testing/plans.ts';
import { archivePath } from '../archive/archive-store.ts';
import { settleBackups } from '../backup-deletion.ts';
import { findBackupIds } from '../backups.repository.ts';
import { claimCopy, setCopied } from './copies.repository.ts';
import { planMissingCopies } from './copies.service.ts';

const test = useTestApp();
const FULL = 'file:/mnt/full';
const FREE = 'file:/mnt/free';
const stores = { places: readStorePlaces(FULL), recipients: [] };
const COUNT = 1_000;
/** Of each copy. */
const SIZE = 1_000;

afterEach(async () => {
  await test.context.pool.query('delete from backup_copies');
  await test.context.pool.query('delete from backups');
});

/** Backups of which a store has a copy that was read back within the last day, and is due again. */
async function makeCopies(count: number, store: string): Promise<void> {
  await test.context.pool.query(
    `with made as (
       insert into backups (id, database_name, origin, state, size_bytes, sha256, created_at)
       select gen_random_uuid(), 'MANY', 'uploaded', 'ready', $2, 'digest', now() from generate_series(1, $1) returning id
     )
     insert into backup_copies (backup_id, store, state, size_bytes, sha256, due_at, checked_at)
     select id, $3, 'copied', $2, 'digest', now(), now() - interval '1 hour' from made`,
    [count, SIZE, store],
  );
  // So that PostgreSQL plans for as many.
  await test.context.pool.query('analyze backups, backup_copies');
}

const claim = (platform: Platform, checkedBytes: number, store = FULL) =>
  claimCopy(platform, store, { run: randomUUID(), lease: 60, nextCheck: 604_800, checkedBytes });

/** How often a table is read: as a whole, and by an index. */
interface Reads {
  whole: number;
  byIndex: number;
}

/** Does something in a transaction. @returns how often that begins to read each of the two tables */
async function countReads(work: (trx: Trx) => Promise<unknown>): Promise<{ backups: Reads; copies: Reads }> {
  return test.context.platform.transaction().execute(async (trx) => {
    // Counts also what the session has not told yet of earlier transactions.
    const sinceThen = async (table: string) => {
      const { rows } = await sql<Reads>`
        select seq_scan::int as whole, idx_scan::int as "byIndex"
        from pg_stat_xact_user_tables where relname = ${table}`.execute(trx);
      return rows[0] ?? { whole: 0, byIndex: 0 };
    };
    const before = { backups: await sinceThen('backups'), copies: await sinceThen('backup_copies') };
    await work(trx);
    const after = { backups: await sinceThen('backups'), copies: await sinceThen('backup_copies') };
    const of = (table: keyof typeof before) => ({
      whole: after[table].whole - before[table].whole,
      byIndex: after[table].byIndex - before[table].byIndex,
    });
    return { backups: of('backups'), copies: of('copies') };
  });
}

it('claims a check in a few reads, however many are due, and none of a store that had its share of the day [DECISIONS §13]', async () => {
  await makeCopies(COUNT, FULL);
  await makeCopies(1, FREE);
  const { copies } = await countReads(async (trx) => expect(await claim(trx, COUNT * SIZE)).toBeUndefined());
  expect(copies.whole + copies.byIndex).toBeLessThan(10);
  expect(await claim(test.context.platform, COUNT * SIZE, FREE)).toMatchObject({ store: FREE, state: 'copied' });
  expect(await claim(test.context.platform, COUNT * SIZE + 1)).toMatchObject({ store: FULL, state: 'copied' });
});

it('claims what is due in a look for the first one, however much is due, there or in another store [DECISIONS §13]', async () => {
  const { pool, platform } = test.context;
  await makeCopies(2 * COUNT, FREE);
  await pool.query(`
    update backup_copies set due_at = now() - interval '1 day', checked_at = null,
      state = case when backup_id in (select id from backups order by id limit ${COUNT}) then 'waiting' else state end`);
  await makeCopies(COUNT, FULL);
  /** Sets the state of all copies of the store, and when they are due. */
  const set = async (state: string, dueAt: string) => {
    const text = `update backup_copies set state = $1, due_at = ${dueAt}, checked_at = null, run = null where store = $2`;
    await pool.query(text, [state, FULL]);
    await pool.query('vacuum analyze backup_copies');
  };
  /** @returns in how many statements, the state of the copy */
  const look = async () => {
    const { result, statements } = await statementsOf(() => claim(platform, SIZE));
    for (const { text, values } of statements) expect(await mostRowsRead(pool, text, values)).toBeLessThan(20);
    return { statements: statements.length, state: result?.state };
  };
  const ago = "now() - random() * interval '1 hour'";
  await set('copied', ago);
  expect(await look()).toEqual({ statements: 2, state: 'copied' });
  await set('copied', "now() + interval '1 day' + random() * interval '6 days'");
  expect(await look()).toEqual({ statements: 2, state: undefined });
  await set('waiting', ago);
  expect(await look()).toEqual({ statements: 1, state: 'copying' });
  await set('failed', "now() + interval '30 minutes' + random() * interval '30 minutes'");
  expect(await look()).toEqual({ statements: 2, state: undefined });
});

it('claims the copy that is due for longest, and after all others one whose moment a clock set that was ahead [DECISIONS §13]', async () => {
  await makeCopies(5, FULL);
  const { pool, platform } = test.context;
  const { rows } = await pool.query<{ id: string }>('select id from backups order by id');
  const set = (index: number, state: string, dueAt: string) =>
    pool.query(`update backup_copies set state = $2, due_at = now() + $3::interval where backup_id = $1`, [
      rows[index]?.id,
      state,
      dueAt,
    ]);
  await set(0, 'copied', '-1 hour');
  await set(1, 'copied', '1 year');
  await set(2, 'waiting', '-1 minute');
  await set(3, 'failed', '1 day');
  await set(4, 'deleting', '-2 minutes');
  const order = [];
  for (const _ of rows) order.push((await claim(platform, SIZE * 10))?.backupId);
  expect(order).toEqual([4, 2, 3, 0, 1].map((index) => rows[index]?.id));
  expect(await claim(platform, SIZE * 10)).toBeUndefined();
});

it('counts no check to the share of the day that a clock noted that was ahead [DECISIONS §13]', async () => {
  await makeCopies(2, FULL);
  await test.context.pool.query("update backup_copies set checked_at = now() + interval '1 year'");
  expect(await claim(test.context.platform, SIZE)).toMatchObject({ store: FULL, state: 'copied' });
});

it('counts no copy to the share of the day that was made, and not read back [DECISIONS §13]', async () => {
  await makeCopies(2, FULL);
  await test.context.pool.query(
    "update backup_copies set checked_at = null, state = case when backup_id = (select min(backup_id::text)::uuid from backup_copies) then 'waiting' else state end",
  );
  const next = async (state: string) => {
    const copy = await claim(test.context.platform, SIZE);
    expect(copy).toMatchObject({ store: FULL, state });
    if (copy) await setCopied(test.context.platform, copy, { ...copy, isEncrypted: false }, 0);
  };
  await next('copying');
  await next('copied');
  expect(await claim(test.context.platform, SIZE)).toBeUndefined();
});

it('copies and removes in a store that had its share of the day [DECISIONS §13]', async () => {
  await makeCopies(2, FULL);
  await test.context.pool.query("update backup_copies set state = 'deleting'");
  expect(await claim(test.context.platform, 0)).toMatchObject({ store: FULL, state: 'deleting' });
  await test.context.pool.query("update backup_copies set state = 'waiting' where run is null");
  expect(await claim(test.context.platform, 0)).toMatchObject({ store: FULL, state: 'copying' });
});

it('finds in a few reads which copies are missing, however many there are [DECISIONS §13]', async () => {
  await makeCopies(COUNT, FULL);
  await test.context.pool.query(
    'delete from backup_copies where backup_id = (select min(id::text)::uuid from backups)',
  );
  const { copies } = await countReads((trx) => planMissingCopies({ utility: trx, stores }));
  expect(copies.whole + copies.byIndex).toBeLessThan(10);
  const { rows } = await test.context.pool.query("select count(*)::int from backup_copies where state = 'waiting'");
  expect(rows).toEqual([{ count: 1 }]);
});

it('settles each minute without reading the backups that are as they should be, or their copies [DECISIONS §13]', async () => {
  await makeCopies(COUNT, FULL);
  const reads = await countReads(async (trx) => {
    // Of tables of this size PostgreSQL would read the whole, whatever there is.
    await sql`set local enable_seqscan = off`.execute(trx);
    await settleBackups({ ...test.context, platform: trx, utility: trx, stores });
  });
  expect(reads.backups.whole).toBe(0);
  expect(reads.copies).toEqual({ whole: 0, byIndex: 0 });
});

it('settles each minute without a word of the deleted backups that only wait for a store [DECISIONS §13]', async () => {
  await makeCopies(COUNT, FULL);
  await test.context.pool.query(
    "with waiting as (update backup_copies set state = 'deleting') update backups set state = 'deleting'",
  );
  const { rows } = await test.context.pool.query<{ id: string }>('select id from backups order by id limit 2');
  const [withArchive = '', withoutCopies = ''] = rows.map(({ id }) => id);
  await writeFile(archivePath(test.context, withArchive), '');
  await test.context.pool.query('delete from backup_copies where backup_id = $1', [withoutCopies]);
  let statements = 0;
  const platform = test.context.platform.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await settleBackups({ ...test.context, platform, stores });
  expect(statements).toBeLessThan(10);
  expect(await findBackupIds(test.context.platform, [withArchive, withoutCopies])).toEqual([withArchive]);
  await expect(access(archivePath(test.context, withArchive))).rejects.toThrow('ENOENT');
});

it('begins no further deletion once the server stops [DECISIONS §13]', async () => {
  await makeCopies(1, FULL);
  await test.context.pool.query("with gone as (delete from backup_copies) update backups set state = 'deleting'");
  const rest = async () => (await test.context.pool.query('select from backups')).rowCount;
  await settleBackups(test.context, AbortSignal.abort());
  expect(await rest()).toBe(1);
  await settleBackups(test.context);
  expect(await rest()).toBe(0);
});
