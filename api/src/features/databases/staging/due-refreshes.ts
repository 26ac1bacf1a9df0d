import { SERVER_ACTOR } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { attemptEach } from '../attempt-each.ts';
import { listDueRefreshes, mendRefreshMoments } from './anonymized-clones.repository.ts';
import { refreshOperation } from './refresh.operation.ts';

/** How many refreshes of the server's own wait or run at once: each holds its source. */
const REFRESHES_AT_ONCE = 2;
/** What stands in the way of a start, and goes by itself: an operation on a database, or its end. */
const PASSING: readonly string[] = ['busy', 'conflict', 'not-found'];

/** Queues the refreshes that are due. What a stop has missed is due once. A failed one is tried again at the next moment. */
export async function startDueRefreshes(context: Context): Promise<void> {
  await mendRefreshMoments(context.platform, context.now());
  await attemptEach(
    await listDueRefreshes(context.platform, context.now(), REFRESHES_AT_ONCE),
    async ({ databaseId, dueAt }) => {
      const input = { databaseId, dueOnUtc: dueAt.toISOString() };
      await startOperation(context, SERVER_ACTOR, refreshOperation, input).catch((error: unknown) => {
        if (!(error instanceof AppError && PASSING.includes(error.code))) throw error;
      });
    },
    'anonymized clones could not be refreshed',
  );
}
