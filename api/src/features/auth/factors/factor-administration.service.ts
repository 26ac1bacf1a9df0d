import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { lockUser } from '../auth.repository.ts';
import { deletePasskeys, deleteRecoveryCodes, deleteTotp, setRoleRequirement } from './factors.repository.ts';

/**
 * Deletes all that a user signs in with beside the password. The user is locked first, as by a sign-in before it uses a factor up: in the
 * other order the two would wait for each other.
 * @returns what there was
 */
export async function deleteFactors(trx: Trx, userId: string): Promise<{ totp: boolean; passkeys: number }> {
  await lockUser(trx, userId);
  const totp = await deleteTotp(trx, userId);
  const passkeys = await deletePasskeys(trx, userId);
  await deleteRecoveryCodes(trx, userId);
  return { totp, passkeys };
}

/**
 * Sets whether the users of a role need a second factor. It counts from their next sign-in on: open sessions go on.
 * @throws AppError not-found
 */
export async function setSecondFactorRequired(
  context: Context,
  actor: Actor,
  { id, required }: { id: string; required: boolean },
): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const role = await setRoleRequirement(trx, id, required);
    if (!role) throw new AppError('not-found', { message: 'There is no such role.' });
    if (role.requiresSecondFactor === required) return;
    const changes = { roleName: role.name, requiresSecondFactor: [!required, required] };
    await appendAudit(context, trx, { actor, action: 'roles.edit', entity: 'roles', entityId: id, changes });
  });
}
