import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { type Actor, UNRESTRICTED_ACTORS } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { isPasswordOff } from '../auth/oidc/local-sign-in.ts';
import { canAnybodySignInAs, findMissingPermission, findPermissionLackedBy, type UserRow } from './users.repository.ts';

/**
 * Refuses a change that involves a role with permissions which the actor lacks: giving, copying, changing or deleting it, or changing,
 * copying or deleting a user who has it. Otherwise setting an administrator's password, or giving oneself the role, would give every permission.
 * @throws AppError not-allowed, naming a missing permission
 */
export async function refuseStrongerRole(platform: Platform, actor: Actor, roleId: string): Promise<void> {
  if (UNRESTRICTED_ACTORS.has(actor)) return;
  const permission = await findMissingPermission(platform, actor, roleId);
  if (!permission) return;
  const message = `This user role has the permission '${permission}', which you do not have.`;
  throw new AppError('not-allowed', { message, permission });
}

/** @returns what refuses roles that have more permissions than the actor; each is asked for once */
export function openRoles({ platform }: { platform: Platform }, actor: Actor): (roleId: string) => Promise<void> {
  const known = new Map<string, Promise<void>>();
  return (roleId) => {
    const refused = known.get(roleId) ?? refuseStrongerRole(platform, actor, roleId);
    known.set(roleId, refused);
    return refused;
  };
}

/** Refuses to give permissions to a role when the actor lacks one of them. @throws AppError not-allowed, naming it */
export async function refuseLackedPermissions(trx: Trx, actor: Actor, permissionIds: readonly string[]): Promise<void> {
  if (UNRESTRICTED_ACTORS.has(actor)) return;
  const permission = await findPermissionLackedBy(trx, actor, permissionIds);
  if (!permission) return;
  throw new AppError('not-allowed', { message: `You do not have the permission '${permission}'.`, permission });
}

/** Refuses what nobody may do to their own record. @param what it is, in words @throws AppError protected */
export function refuseOwnRecord(actor: Actor, user: Pick<UserRow, 'id'>, what: string): void {
  if (actor.id === user.id) throw new AppError('protected', { message: `You cannot ${what}.` });
}

/** Refuses a change of a key's owner by the key: a new password would outlive the key. @throws AppError protected */
export function refuseOwnerOfKey(actor: Actor, user: Pick<UserRow, 'id'>): void {
  if (!actor.scopes || actor.id !== user.id) return;
  throw new AppError('protected', { message: 'An API key cannot change its owner.' });
}

/** Refuses for a service account what only people have. @param what it is, in words @throws AppError protected */
export function requirePerson(user: Pick<UserRow, 'isService'>, what: string): void {
  if (!user.isService) return;
  throw new AppError('protected', { message: `A service account ${what}.` });
}

/**
 * Refuses a change after which no administrator could sign in. Users are changed one at a time, so two administrators who demote
 * each other at once leave one. Where only one account may sign in with a password (APOTHECA_LOCAL_SIGN_IN), others do not take its
 * place: it is there for when no provider answers.
 * @param before the user as the change found them
 * @throws AppError protected
 */
export async function requireAdministrator(context: Context, trx: Trx, before: UserRow): Promise<void> {
  const { role, isActive, passwordHash } = before;
  if (role !== ADMINISTRATOR || !isActive || passwordHash === null) return;
  const only = isPasswordOff(context, before) ? undefined : context.onlyLocalAccount;
  if (await canAnybodySignInAs(trx, ADMINISTRATOR, only)) return;
  const message =
    only === undefined
      ? 'At least one active Administrator with a password must stay.'
      : `'${only}' alone may sign in with a password: it must stay an active Administrator with this name.`;
  throw new AppError('protected', { message });
}
