import { nameFields } from '@apotheca/contract/user-form';
import type { Actor, Caller } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import type { Platform } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { endSessionsOfUser } from '../auth/auth.service.ts';
import { tellPasswordChanged } from '../auth/credential-notices.ts';
import { hashNewPassword } from '../auth/new-passwords.ts';
import { isPasswordOff } from '../auth/oidc/local-sign-in.ts';
import { hasSecondFactor, lockVerified, noteProof, verifyOwnPassword } from '../auth/proof.service.ts';
import { auditUser, changeUsers } from './user-change.ts';
import { contentOf } from './user-columns.ts';
import { findUser, type UserRow, updateUser } from './users.repository.ts';

/** The signed-in user's own record. @throws AppError session-ended if it was deleted meanwhile */
export async function getOwnUser(platform: Platform, { id }: Caller): Promise<UserRow> {
  const user = await findUser(platform, id);
  if (!user) throw new AppError('session-ended');
  return user;
}

/**
 * Changes what people may change of their own record, whatever their role.
 * @param edit with the record's version when it began
 * @throws AppError stale, session-ended
 */
export async function editOwnUser(
  context: Context,
  caller: Caller,
  actor: Actor,
  edit: { fName: string; lName: string; phone?: string | undefined; version?: number | undefined },
): Promise<UserRow> {
  return changeUsers(context, actor, 'edit', async (trx) => {
    const before = await getOwnUser(trx, caller);
    const { id, version } = before;
    // Others keep notes about people, which are not for them to read here.
    const fields = Object.keys(nameFields);
    await refuseStale(trx, { entity: 'users', id, version, fields }, edit.version);
    const columns = { firstName: edit.fName, lastName: edit.lName, phone: edit.phone ?? before.phone };
    await updateUser(trx, id, { ...columns, updatedBy: id, updatedAt: context.now() });
    const after = await getOwnUser(trx, caller);
    const changes = changedVersion({ ...contentOf(before), version }, contentOf(after));
    await auditUser(context, trx, actor, 'edit', id, changes);
    return after;
  });
}

/**
 * Changes the caller's own password, which proves anew who they are where it alone would sign them in. Their other sessions and their
 * API tokens end; this one stays.
 * @returns how many others were open
 * @throws AppError invalid for a wrong present password or a new one that is too short or too common; too-many; session-ended if somebody else
 * has set another one meanwhile
 */
export async function changeOwnPassword(
  context: Context,
  caller: Caller,
  actor: Actor,
  passwords: { currentPassword: string; password: string },
): Promise<{ ended: number }> {
  const typed = { field: 'currentPassword', password: passwords.currentPassword };
  const verified = await verifyOwnPassword(context, caller, actor, typed);
  const passwordHash = await hashNewPassword(context, passwords.password);
  return changeUsers(context, actor, 'edit', async (trx) => {
    const user = await getOwnUser(trx, caller);
    const { id, version } = user;
    await lockVerified(context, trx, caller, verified);
    if (!hasSecondFactor(verified) && !isPasswordOff(context, verified)) await noteProof(context, trx, caller);
    await updateUser(trx, id, { passwordHash, updatedBy: id, updatedAt: context.now() });
    const ended = await endSessionsOfUser(context, trx, id, 'password-changed', caller.sessionId);
    await tellPasswordChanged(context, trx, user, { by: 'self', sessionStays: true, address: actor.address });
    const changes = { ...changedVersion({ version }, {}), password: 'changed' };
    await auditUser(context, trx, actor, 'edit', id, changes);
    return { ended };
  });
}
