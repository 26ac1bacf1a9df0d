import type { Context } from '../../../context.ts';
import { attemptEach } from '../attempt-each.ts';
import { type DatabaseRow, listPurgedDatabases } from '../databases.repository.ts';
import { dropExpiredPurges } from './kept-rows.repository.ts';

/**
 * Drops, for good, what purges removed more than 7 days ago (DECISIONS §9), in the databases where something may have expired.
 * @throws AggregateError when some databases could not be swept; the others are
 */
export async function sweepPurges(context: Context): Promise<void> {
  const sweep = ({ physicalName }: DatabaseRow) =>
    context.tenants.with(physicalName, async (client) => {
      await client.query('begin');
      await dropExpiredPurges(client);
      await client.query('commit');
    });
  await attemptEach(await listPurgedDatabases(context.platform), sweep, 'databases could not be swept');
}
