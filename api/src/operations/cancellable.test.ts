import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asCluster } from '../db/cluster/session.ts';
import { openPlatform } from '../db/platform.ts';
import { useTestApp } from '../testing/app.ts';
import { backendPid, cancellable } from './cancellable.ts';

const test = useTestApp();

it('a cancellation that comes too late for a statement does not cancel a later one [DECISIONS §8]', async () => {
  const busy = openPlatform({ url: test.databaseUrl, maxConnections: 1 });
  const holder = await busy.pool.connect();
  const cancelling = new AbortController();
  await test.context.utility.connection().execute(async (connection) => {
    const server = { ...test.context.clusters.home, platform: asCluster(busy.platform) };
    const run = { server, cluster: asCluster(connection), signal: cancelling.signal };
    const pid = await backendPid(run);
    const work = cancellable(run, pid, async () => cancelling.abort());
    const next = work.then(() => sql`select pg_sleep(1)`.execute(connection));
    await setImmediate();
    holder.release();
    await expect(next).resolves.toBeDefined();
  });
  await busy.platform.destroy();
});

it('a cancellation that comes between two statements cancels the next one [DECISIONS §8]', async () => {
  const cancelling = new AbortController();
  await test.context.utility.connection().execute(async (connection) => {
    const { home: server } = test.context.clusters;
    const run = { server, cluster: asCluster(connection), signal: cancelling.signal };
    const pid = await backendPid(run);
    const work = cancellable(run, pid, async () => {
      cancelling.abort(new Error('cancelled'));
      await expect.poll(() => hasCancelled()).toBe(true);
      await sql`select pg_sleep(3600)`.execute(connection);
    });
    await expect(work).rejects.toThrow('cancelled');
  });
});

/** Whether a session of this database has cancelled another one, and has done nothing since. */
async function hasCancelled(): Promise<boolean> {
  const { rows } = await sql<{ asked: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and state = 'idle' and query like 'select pg_cancel_backend%'
    ) as asked`.execute(test.context.utility);
  return rows[0]?.asked ?? false;
}
