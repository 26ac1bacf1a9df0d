import type { SecondFactorPlan } from '@apotheca/contract/second-factors';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { isPasswordOff } from '../oidc/local-sign-in.ts';
import { openAt } from '../session-times.ts';
import { lockUser } from '../sign-in-users.repository.ts';
import { deletePasskeys, deleteRecoveryCodes, deleteTotp, setRoleRequirement } from './factors.repository.ts';
import {
  countUnprovedSessions,
  endUnprovedSessions,
  listUsersWithoutFactor,
  moveCredentialsVersions,
  roleExists,
} from './role-requirement.repository.ts';

const NO_ROLE = { message: 'There is no such role.' };

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

/** Whom it would affect if a role needed a second factor. @throws AppError not-found */
export async function planSecondFactor(context: Context, roleId: string): Promise<SecondFactorPlan> {
  const { platform, now } = context;
  if (!(await roleExists(platform, roleId))) throw new AppError('not-found', NO_ROLE);
  const [users, sessions] = await Promise.all([
    listUsersWithoutFactor(platform, roleId),
    countUnprovedSessions(platform, roleId, openAt(now())),
  ]);
  // Whose password is off sets no factor up at a sign-in.
  return { without: users.filter((user) => !isPasswordOff(context, user)), sessions };
}

/**
 * Sets whether the users of a role need a second factor, and notes it in the audit trail. Sessions in which none was ever proved end;
 * sign-ins under way begin anew. Who may do that to this role was asked before, in the same transaction. Call it last in that.
 * @returns how many sessions have ended
 * @throws AppError not-found
 */
export async function setSecondFactorRequired(
  context: Context,
  trx: Trx,
  actor: Actor,
  { id, required }: { id: string; required: boolean },
): Promise<number> {
  const role = await setRoleRequirement(trx, id, required);
  if (!role) throw new AppError('not-found', NO_ROLE);
  if (role.requiresSecondFactor === required) return 0;
  if (required) await moveCredentialsVersions(trx, id);
  const ended = required ? await endUnprovedSessions(trx, id, openAt(context.now())) : 0;
  const changes = { roleName: role.name, requiresSecondFactor: [!required, required], ended };
  await appendAudit(context, trx, { actor, action: 'roles.edit', entity: 'roles', entityId: id, changes });
  return ended;
}
