import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { afterAll, expect, inject, it } from 'vitest';
import { NODE_COMPILE_CACHE } from '../../testing/server-process.ts';
import { DatabaseTimeout } from '../errors/postgres-errors.ts';
import { openPlatform } from '../platform.ts';
import { withDatabaseName } from './connection-string.ts';
import { onBudget, TimeBudget } from './time-budget.ts';
import { makeWatch, Pulse } from './watch.ts';

// Not the database that test files copy, as a copy needs it to be without sessions.
const url = withDatabaseName(inject('postgresUrl'), 'postgres');
const pulse = new Pulse();
const asking = openPlatform({ url, maxConnections: 1 });
const one = openPlatform({ url, maxConnections: 1, limits: { pulse } });
const two = openPlatform({ url, maxConnections: 2, limits: { pulse } });
const watched = openPlatform({
  url,
  maxConnections: 2,
  kind: 'operation',
  limits: { pulse, watch: makeWatch(asking.pool) },
});
afterAll(() => Promise.all([asking, one, two, watched].map(({ platform }) => platform.destroy())));

/** How `work` ends on a budget, and after how many milliseconds. */
async function onBudgetOf(milliseconds: number, work: () => Promise<unknown>) {
  const began = performance.now();
  const outcome = await onBudget(new TimeBudget(milliseconds), work).catch((error: unknown) => error);
  return { outcome, took: performance.now() - began };
}

it('one budget covers connecting, statements and rolling back, and the connection is not used again [DECISIONS §3]', async () => {
  const pidOf = async () => (await one.pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  const before = await pidOf();
  const { outcome, took } = await onBudgetOf(1_000, () =>
    one.platform.transaction().execute(async (trx) => {
      await sql`select pg_sleep(0.5)`.execute(trx);
      await sql`select pg_sleep(60)`.execute(trx);
    }),
  );
  expect(outcome).toBeInstanceOf(DatabaseTimeout);
  expect(took).toBeGreaterThan(900);
  expect(took).toBeLessThan(20_000);
  expect(await pidOf()).not.toBe(before);
});

it('statements leave nothing behind in the old generation of the heap, which is seldom collected [§7]', () => {
  // In a process of its own, where nothing else is done.
  const program = `
    import { GCProfiler } from 'node:v8';
    import { openPlatform } from ${JSON.stringify(new URL('../platform.ts', import.meta.url).href)};
    const { pool } = openPlatform({ url: process.env.DATABASE_URL, maxConnections: 1 });
    const ask = async (times) => {
      for (let each = 0; each < times; each += 1) await pool.query('select $1::int', [each]);
    };
    await ask(1_000);
    const profiler = new GCProfiler();
    profiler.start();
    await ask(2_000);
    const scavenges = profiler.stop().statistics.filter(({ gcType }) => gcType === 'Scavenge');
    const old = ({ heapSpaceStatistics }) => heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space').spaceUsedSize;
    console.log(scavenges.reduce((sum, { beforeGC, afterGC }) => sum + old(afterGC) - old(beforeGC), 0) / 2_000);
    process.exit();`;
  const bytes = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: { DATABASE_URL: url, NODE_COMPILE_CACHE, NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
  });
  // Of a promise of pg's own, 1 to 2 kB would stay for each.
  expect(Number(bytes)).toBeLessThan(500);
});

it('waits at the same time count once [DECISIONS §3]', async () => {
  const budget = new TimeBudget(60_000);
  const sleep = () => sql`select pg_sleep(0.5)`.execute(two.platform);
  const began = performance.now();
  await onBudget(budget, () => Promise.all([sleep(), sleep()]));
  const used = 60_000 - budget.left;
  expect(used).toBeGreaterThan(400);
  expect(used).toBeLessThanOrEqual(performance.now() - began);
});

it('a wait for a full pool is an overload while PostgreSQL answers, and else PostgreSQL is away [§8]', async () => {
  const holder = await one.pool.connect();
  try {
    const silent = await onBudgetOf(300, () => one.pool.query('select 1'));
    expect(silent.outcome).toMatchObject({ isOverloaded: false });
    const waiting = onBudgetOf(3_000, () => one.pool.query('select 1'));
    await holder.query('select 1');
    expect((await waiting).outcome).toMatchObject({ isOverloaded: true });
  } finally {
    holder.release();
  }
  expect((await one.pool.query('select 1')).rowCount).toBe(1);
});

it('a queue that moves uses up no budget [DECISIONS §3]', async () => {
  const ask = () => one.pool.query('select pg_sleep(0.25)');
  const all = await Promise.all(Array.from({ length: 20 }, () => onBudgetOf(3_000, ask)));
  expect(all.map(({ outcome }) => outcome)).toEqual(all.map(() => expect.objectContaining({ rowCount: 1 })));
  expect(Math.max(...all.map(({ took }) => took))).toBeGreaterThan(4_000);
});

it('a statement that PostgreSQL works on may outlast the budget; one that waits for a lock may not [DECISIONS §3]', async () => {
  // Connecting would use up some of the budget.
  for (const { pool } of [asking, watched]) await pool.query('select 1');
  const work = await onBudgetOf(3_000, () => sql`select pg_sleep(5)`.execute(watched.platform));
  expect(work.outcome).toMatchObject({ rows: [{}] });
  await one.platform.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(4712)`.execute(holder);
    const waiting = await onBudgetOf(3_000, () => sql`select pg_advisory_lock(4712)`.execute(watched.platform));
    expect(waiting.outcome).toBeInstanceOf(DatabaseTimeout);
    await sql`select pg_advisory_unlock(4712)`.execute(holder);
  });
});
