import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backgroundWork } from './background-work.ts';
import { readStorePlaces } from './backup-stores.ts';
import { readConfig } from './config.ts';
import { useApiKeys } from './testing/api-keys.ts';
import { useTestApp } from './testing/app.ts';
import { aheadByYear } from './testing/clock-ahead.ts';

const test = useTestApp();
const MINUTE = 60_000;
/** After a start, until what has expired is deleted. */
const FIRST_SWEEP = 11 * MINUTE;
/** Of a first round: settling asks for the servers, and repairing logins, limiting and measuring do. */
const ASKED_BY_ROUND = 4;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts the work while the list of servers does not come, until both that ask for it first wait. */
async function startHeld() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  const list = async () => {
    asked += 1;
    await released;
    return test.context.clusters.list();
  };
  const visited: string[] = [];
  const of = (id: string) => {
    visited.push(id);
    return test.context.clusters.of(id);
  };
  const clusters = { ...test.context.clusters, list, of };
  const work = backgroundWork({ ...test.context, clusters }, readConfig({}));
  work.start((error) => test.background.push(error));
  // Not by `vi.waitUntil`, which lets the intervals come with each look.
  await expect.poll(() => asked).toBe(2);
  return { work, release, visited, asked: () => asked };
}

it('a round that comes while the one before waits is left out [§2.30]', async () => {
  const { work, release, asked } = await startHeld();
  vi.advanceTimersByTime(3 * MINUTE);
  release();
  await expect.poll(asked).toBeGreaterThanOrEqual(ASKED_BY_ROUND);
  await work.stop();
  expect(asked()).toBe(ASKED_BY_ROUND);
  expect(test.background).toEqual([]);
});

it('what has expired is deleted some minutes after the start, as a process may not live for an hour [DECISIONS §9]', async () => {
  const { pool } = test.context;
  await pool.query(
    `insert into batches (kind, created_by, created_at) select 'import-users', id, '2000-01-01' from users limit 1`,
  );
  const work = backgroundWork(test.context, readConfig({}));
  work.start((error) => test.background.push(error));
  vi.advanceTimersByTime(FIRST_SWEEP);
  await expect.poll(async () => (await pool.query('select from batches')).rowCount).toBe(0);
  await work.stop();
});

it('a process whose clock is ahead, or not trusted, deletes nothing before its time [DECISIONS §13]', async () => {
  const { pool, platform } = test.context;
  test.clock.now = new Date();
  // That of the administrator has the test's date, which is long ago some day.
  await pool.query('delete from sessions');
  const { accessToken } = (await test.signIn()).result;
  await useApiKeys(test).issued(accessToken);
  const plan = (createdAt: Date) =>
    pool.query("insert into batches (kind, created_by, created_at) select 'import-users', id, $1 from users limit 1", [
      createdAt,
    ]);
  await plan(new Date());
  await pool.query(
    `insert into idempotency_keys (caller, key, request, attempt, held_until, created_at) values ('caller', 'key', '', gen_random_uuid(), now(), now())`,
  );
  const kept = async () => {
    const tables = ['sessions', 'api_keys', 'idempotency_keys', 'batches'];
    const counts = tables.map(async (name) => (await pool.query(`select from ${name}`)).rowCount);
    return Promise.all(counts);
  };
  const before = await kept();
  const sweep = async (context: typeof test.context, until: () => Promise<boolean>) => {
    const work = backgroundWork(context, readConfig({}));
    work.start((error) => test.background.push(error));
    vi.advanceTimersByTime(FIRST_SWEEP);
    await expect.poll(until).toBe(true);
    await work.stop();
  };
  const ahead = { ...test.context, ...aheadByYear(platform) };
  let asked = 0;
  const untrusted = async () => {
    asked += 1;
    return undefined;
  };
  await sweep({ ...ahead, trustedNow: untrusted }, async () => asked > 0);
  expect(await kept()).toEqual(before);
  // What has expired by PostgreSQL's clock goes last.
  await plan(new Date('2000-01-01'));
  await sweep(ahead, async () => (await pool.query('select from batches')).rowCount === before[3]);
  expect(await kept()).toEqual(before);
  expect(before).not.toContain(0);
});

it('copies that are missing are planned at the start, and with what is done each hour [DECISIONS §13]', async () => {
  const { pool } = test.context;
  const makeBackup = () =>
    pool.query(
      `insert into backups (id, database_name, origin, state, created_at)
       values (gen_random_uuid(), 'KEPT', 'uploaded', 'ready', now())`,
    );
  const planned = (count: number) =>
    expect.poll(async () => (await pool.query('select from backup_copies')).rowCount).toBe(count);
  await makeBackup();
  const stores = { places: readStorePlaces('file:/mnt/nas'), recipients: [] };
  const work = backgroundWork({ ...test.context, stores }, readConfig({}));
  work.start((error) => test.background.push(error));
  await planned(1);
  await makeBackup();
  vi.advanceTimersByTime(FIRST_SWEEP);
  await planned(2);
  await work.stop();
});

it('a stop waits for what goes on only, and not for the servers and jobs behind it [§2.30]', async () => {
  const { work, release, visited, asked } = await startHeld();
  const stopped = work.stop();
  release();
  await stopped;
  expect(asked()).toBe(2);
  expect(visited).toEqual([]);
});
