import type { Context } from '../../../context.ts';
import { listPurgedDatabases } from '../databases.repository.ts';
import { dropExpiredPurges } from './kept-rows.repository.ts';

/**
 * Drops, for good, what purges removed more than 7 days ago (DECISIONS §9), in the databases where something may have expired.
 * @throws AggregateError when some databases could not be swept; the others are
 */
export async function sweepPurges(context: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const { physicalName } of await listPurgedDatabases(context.platform)) {
    const sweeping = context.tenants.with(physicalName, async (client) => {
      await client.query('begin');
      await dropExpiredPurges(client);
      await client.query('commit');
    });
    await sweeping.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} databases could not be swept`);
}
