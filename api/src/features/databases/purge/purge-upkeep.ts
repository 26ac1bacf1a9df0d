import type { Context } from '../../../context.ts';
import { attemptEachPlaced } from '../attempt-each.ts';
import { type DatabaseRow, listToSweep, lockUnclaimed } from '../databases.repository.ts';
import { getDatabaseById } from '../databases.service.ts';
import { dropExpiredPurges } from './kept-rows.repository.ts';

/**
 * Drops the rows of purges that are older than 7 days (DECISIONS §9), in the databases whose turn it is.
 * @param context with a clock that is trusted (decision 038)
 * @param stopping aborts it
 * @throws AggregateError when it failed in some databases
 */
export async function sweepPurges(context: Context, stopping?: AbortSignal): Promise<void> {
  const sweep = async ({ id }: DatabaseRow) =>
    context.tenants.with(await getDatabaseById(context.platform, id), async (client) => {
      await client.query('begin');
      await dropExpiredPurges(client, context.now());
      // Only now is the registry's row locked, as calls wait for that.
      await context.platform.transaction().execute(async (trx) => {
        // A copy that an operation makes meanwhile, such as that of a move, would keep them. It comes later.
        await client.query((await lockUnclaimed(trx, id)) ? 'commit' : 'rollback');
      });
    });
  await attemptEachPlaced(
    await listToSweep(context.platform, context.now()),
    sweep,
    'databases could not be swept',
    stopping,
  );
}
