import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { endSessionsOfUser } from '../auth/auth.service.ts';
import { tellFactorsReset } from '../auth/credential-notices.ts';
import { deleteFactors } from '../auth/factors/factor-administration.service.ts';
import { auditUser, changeUsers } from './user-change.ts';
import { refuseOwnRecord } from './user-protection.ts';
import { getUser } from './users.service.ts';

/** What a reset has taken from a user. */
interface Reset {
  totp: boolean;
  passkeys: number;
  sessionsEnded: number;
}

/**
 * Removes a user's second factors, passkeys and recovery codes, for who has lost them, and ends the user's sessions.
 * @throws AppError not-found, not-allowed, protected, conflict if there are none
 */
export async function resetFactors(context: Context, actor: Actor, id: string): Promise<Reset> {
  return changeUsers(context, actor, 'resetFactors', async (trx) => {
    const user = await getUser(trx, actor, id);
    refuseOwnRecord(actor, user, 'reset your own second factor: remove it in your profile');
    const removed = await deleteFactors(trx, id);
    if (!removed.totp && removed.passkeys === 0)
      throw new AppError('conflict', { message: 'This user has no second factor.' });
    const reset = { ...removed, sessionsEnded: await endSessionsOfUser(context, trx, id, 'factors-reset') };
    await tellFactorsReset(context, trx, user, { by: actor.name, address: actor.address });
    await auditUser(context, trx, actor, 'resetFactors', id, { ...reset });
    return reset;
  });
}
