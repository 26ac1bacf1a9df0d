import { setTimeout } from 'node:timers/promises';
import { withClient } from './databases.ts';

const POLL = 50;
/** Only finds what hangs, before the test's own limit does; in milliseconds. */
const LONGEST = 240_000;

/**
 * Waits until all operations of an installation have ended.
 * @param url connection string of its control database
 */
export async function operationsEnded(url: string): Promise<void> {
  const deadline = Date.now() + LONGEST;
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        "select kind, database_name, state, steps[step + 1] as step from operations where state in ('queued', 'running')",
      );
      if (rows.length === 0) return;
      if (Date.now() > deadline) throw new Error(`These operations do not end: ${JSON.stringify(rows)}`);
      await setTimeout(POLL);
    }
  });
}
