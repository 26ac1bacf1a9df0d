import { SERVER_ACTOR } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { attemptEach } from '../attempt-each.ts';
import { listExpiredDatabases } from '../parked-databases.repository.ts';
import { removeParkedOperation } from './remove-parked.operation.ts';

/** After how long a removal that failed is tried again, in milliseconds. */
const RETRY_AFTER = 3_600_000;

/** Queues the removal of every parked database that is no longer kept, unless no clock is trusted. */
export async function removeExpired(context: Context): Promise<void> {
  const trusted = await context.trustedNow();
  if (!trusted) return;
  const now = context.now();
  const since = new Date(now.getTime() - RETRY_AFTER);
  await attemptEach(
    await listExpiredDatabases(context.platform, trusted, { since, now }),
    async (databaseId) => {
      await startOperation(context, SERVER_ACTOR, removeParkedOperation, { databaseId });
    },
    'expired databases could not be removed',
  );
}
