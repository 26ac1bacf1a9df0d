import type { Actor } from '../../../../actor.ts';
import type { Trx } from '../../../../db/platform.ts';
import { AppError } from '../../../../errors.ts';
import { takeRun } from './schedule-runs.repository.ts';

/**
 * Takes over the backup that a schedule wants, in the transaction that queues its operation.
 * @param dueOnUtc the moment at which it was due; absent for a backup that somebody makes by hand
 * @returns that moment; null where the backup counts as made by hand, such as an old failed one that is started again
 * @throws AppError conflict when the server starts what is due no more
 */
export async function takeDueBackup(
  trx: Trx,
  actor: Actor,
  { dueOnUtc, ...run }: { databaseId: string; operationId: string; dueOnUtc?: string | undefined },
): Promise<Date | null> {
  if (dueOnUtc === undefined) return null;
  const dueAt = new Date(dueOnUtc);
  if (await takeRun(trx, { ...run, dueAt })) return dueAt;
  if (actor.id === null) throw new AppError('conflict');
  return null;
}
