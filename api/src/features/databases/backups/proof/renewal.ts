import type { Actor } from '../../../../actor.ts';
import type { Trx } from '../../../../db/platform.ts';
import { AppError } from '../../../../errors.ts';
import { isScheduled, markRenewed } from './proofs.repository.ts';

/**
 * Notes that a backup is made in place of one whose proof failed, in the transaction that queues it.
 * @returns the moment at which it counts as due: now, where the failed one is a schedule's, so that retention removes it like that one
 * @throws AppError conflict when the server has queued one before. A failed one may be started again by hand.
 */
export async function takeRenewal(trx: Trx, actor: Actor, backupId: string, now: Date): Promise<Date | null> {
  if (!(await markRenewed(trx, backupId)) && actor.id === null) throw new AppError('conflict');
  return (await isScheduled(trx, backupId)) ? now : null;
}
