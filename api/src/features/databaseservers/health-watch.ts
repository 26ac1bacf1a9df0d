import type { Context } from '../../context.ts';
import { HOME_SERVER } from '../../db/clusters.ts';
import { currentBudget, onBudget, TimeBudget } from '../../db/connections/time-budget.ts';
import { reasonOf } from '../../db/errors/connection-problems.ts';
import { startWorker, type Worker } from '../../worker.ts';
import { listServers } from './databaseservers.repository.ts';
import { noteHealth, readFigures } from './health.repository.ts';

/** How often each server is asked, in milliseconds. */
const INTERVAL = 10_000;

/** Asks every server how it is, all at a time, and notes it. One that does not answer is away. */
export async function checkHealth(context: Context): Promise<void> {
  await Promise.all((await listServers(context.platform)).map(({ id }) => checkHealthOf(context, id)));
}

/** Asks one server how it is, on the budget of the request where there is one, and notes it. */
async function checkHealthOf(context: Context, id: string): Promise<void> {
  const ask = async () => readFigures((await context.clusters.of(id)).platform);
  const at = context.now();
  const found = await onBudget(currentBudget() ?? new TimeBudget(), ask).then(
    (figures) => ({ at, figures }),
    (error: unknown) => {
      // Without the control database nothing can be noted.
      if (id === HOME_SERVER) throw error;
      return { at, problem: reasonOf(error instanceof Error && error.cause ? error.cause : error) };
    },
  );
  // It may have been deleted meanwhile.
  await noteHealth(context.platform, id, found).catch((error: { constraint?: string }) => {
    if (error.constraint !== 'database_server_health__server_id__fk') throw error;
  });
}

/**
 * Has the list say at once how a server is that was made, reached in another way or checked. What was done stands,
 * whatever comes of it: the watch asks again.
 */
export const refreshHealth = (context: Context, id: string): Promise<void> =>
  checkHealthOf(context, id).catch(() => undefined);

/** Keeps the health of all servers fresh until it is stopped. Every process that works in the background does. */
export const startHealthWatch = (context: Context, onError: (error: unknown) => void): Worker =>
  startWorker(async () => {
    await checkHealth(context).catch(onError);
    return INTERVAL;
  });
