import { type Actor, SERVER_ACTOR } from '../../actor.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { canAnybodySignInAs, findMissingPermission, type UserRow } from './users.repository.ts';

const ADMINISTRATOR = 'Administrator';

/**
 * Refuses a change that involves a role with permissions which the actor lacks: giving it, or changing, copying or deleting a user
 * who has it. Otherwise setting an administrator's password, or giving oneself the role, would give every permission.
 * @throws AppError not-allowed, naming a missing permission
 */
export async function refuseStrongerRole(trx: Trx, actor: Actor, roleId: string): Promise<void> {
  if (actor === SERVER_ACTOR) return;
  const permission = await findMissingPermission(trx, actor.id, roleId);
  if (!permission) return;
  const message = `This user role has the permission '${permission}', which you do not have.`;
  throw new AppError('not-allowed', { message, permission });
}

/** Refuses what nobody may do to their own record. @param what it is, in words @throws AppError protected */
export function refuseOwnRecord(actor: Actor, user: UserRow, what: string): void {
  if (actor.id === user.id) throw new AppError('protected', { message: `You cannot ${what}.` });
}

/**
 * Refuses a change after which no administrator could sign in. Users are changed one at a time, so two administrators who demote
 * each other at once leave one.
 * @param before the user as the change found them
 * @throws AppError protected
 */
export async function requireAdministrator(trx: Trx, before: UserRow): Promise<void> {
  const { role, isActive, passwordHash } = before;
  if (role !== ADMINISTRATOR || !isActive || passwordHash === null) return;
  if (await canAnybodySignInAs(trx, ADMINISTRATOR)) return;
  throw new AppError('protected', { message: 'At least one active Administrator with a password must stay.' });
}
