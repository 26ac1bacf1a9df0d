import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openPlatform } from '../db/platform.ts';
import { useTestApp } from '../testing/app.ts';
import { backendPid, cancellable } from './cancellable.ts';

const test = useTestApp();

it('a cancellation that comes too late for a statement does not cancel a later one [DECISIONS §8]', async () => {
  const busy = openPlatform({ url: test.databaseUrl, maxConnections: 1 });
  const holder = await busy.pool.connect();
  const cancelling = new AbortController();
  await test.context.utility.connection().execute(async (connection) => {
    const context = { ...test.context, platform: busy.platform };
    const run = { context, connection, signal: cancelling.signal };
    const pid = await backendPid(run);
    const work = cancellable(run, pid, async () => cancelling.abort());
    const next = work.then(() => sql`select pg_sleep(1)`.execute(connection));
    await setImmediate();
    holder.release();
    await expect(next).resolves.toBeDefined();
  });
  await busy.platform.destroy();
});
