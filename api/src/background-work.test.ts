import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backgroundWork } from './background-work.ts';
import { readStorePlaces } from './backup-stores.ts';
import { readConfig } from './config.ts';
import { useTestApp } from './testing/app.ts';

const test = useTestApp();
const MINUTE = 60_000;
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
  await vi.waitUntil(() => asked === 2, { timeout: 20_000 });
  return { work, release, visited, asked: () => asked };
}

it('a round that comes while the one before waits is left out [§2.30]', async () => {
  const { work, release, asked } = await startHeld();
  vi.advanceTimersByTime(3 * MINUTE);
  release();
  await vi.waitUntil(() => asked() >= ASKED_BY_ROUND, { timeout: 20_000 });
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
  vi.advanceTimersByTime(5 * MINUTE);
  await vi.waitUntil(async () => (await pool.query('select from batches')).rowCount === 0, { timeout: 20_000 });
  await work.stop();
});

it('copies that are missing are planned at the start, and with what is done each hour [DECISIONS §13]', async () => {
  const { pool } = test.context;
  const makeBackup = () =>
    pool.query(
      `insert into backups (id, database_name, origin, state, created_at)
       values (gen_random_uuid(), 'KEPT', 'uploaded', 'ready', now())`,
    );
  const planned = (count: number) =>
    vi.waitUntil(async () => (await pool.query('select from backup_copies')).rowCount === count, { timeout: 20_000 });
  await makeBackup();
  const stores = { places: readStorePlaces('file:/mnt/nas'), recipients: [] };
  const work = backgroundWork({ ...test.context, stores }, readConfig({}));
  work.start((error) => test.background.push(error));
  await planned(1);
  await makeBackup();
  vi.advanceTimersByTime(5 * MINUTE);
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
