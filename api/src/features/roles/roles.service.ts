import type { OwnRights } from '@apotheca/contract/account';
import { isSameName } from '@apotheca/contract/name-collation';
import { ROLES } from '@apotheca/contract/permission-catalogue';
import { roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import type { Actor } from '../../actor.ts';
import { appendAudit, changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { setSecondFactorRequired } from '../auth/factors/factor-administration.service.ts';
import { changePermissions } from '../permissions/permission-change.ts';
import { auditUsers } from '../users/user-change.ts';
import { moveUsers } from '../users/user-moves.ts';
import { refuseStrongerRole } from '../users/user-protection.ts';
import {
  copyRolePermissions,
  deleteRoleRow,
  findRole,
  hasRole,
  insertRole,
  listPermissionsOfRole,
  listPermissionsOfUser,
  listRolesInUseWith,
  type RoleRow,
  renameRoleRow,
  rolesList,
  unshareViews,
} from './roles.repository.ts';

/** All roles with what they may do. */
export const listRoles = rolesList;

/** What a user may do, and the roles whose users can grant more. */
export async function getRightsOf(platform: Platform, userId: string): Promise<OwnRights> {
  return {
    permissions: await listPermissionsOfUser(platform, userId),
    grantedBy: await listRolesInUseWith(platform, roleRoutes.editPermissions.permission),
  };
}

/**
 * Creates a role.
 * @param fields `copyOf`: the role whose permissions it gets, and that it needs a second factor; null: none
 * @throws AppError already-exists, invalid; not-allowed if the caller lacks a permission of the role that is copied
 */
export async function createRole(
  context: Context,
  actor: Actor,
  { roleName, copyOf }: { roleName: string; copyOf: string | null },
): Promise<{ id: string }> {
  return changePermissions(context, actor, roleRoutes.create, async (trx) => {
    const source = copyOf === null ? undefined : await namedRole(trx, 'copyOf', copyOf);
    if (source) await refuseStrongerRole(trx, actor, source.id);
    const requiresSecondFactor = source?.requiresSecondFactor ?? false;
    const id = await insertRole(trx, { name: roleName, requiresSecondFactor });
    if (source) await copyRolePermissions(trx, source.id, id);
    const copied = source && { copiedFrom: source.name, permissions: await identifiersOf(trx, id) };
    const needs = requiresSecondFactor ? { requiresSecondFactor } : {};
    await auditRole(context, trx, actor, 'create', id, { roleName, ...copied, ...needs });
    return { id };
  }).catch(refuseTakenName);
}

/**
 * Gives a role another name. Its users see it when their session is refreshed.
 * @param edit with the role's version when the edit began
 * @throws AppError not-found, protected, not-allowed, stale, already-exists
 */
export async function renameRole(
  context: Context,
  actor: Actor,
  { id, roleName, version }: { id: string; roleName: string; version?: number | undefined },
): Promise<{ id: string }> {
  return changePermissions(context, actor, roleRoutes.edit, async (trx) => {
    const before = await getOwnRole(context, trx, actor, { id, what: 'renamed' });
    await refuseStale(trx, { entity: 'roles', id, version: before.version }, version);
    await renameRoleRow(trx, id, roleName);
    const changes = changedVersion({ roleName: before.name, version: before.version }, { roleName });
    await auditRole(context, trx, actor, 'rename', id, changes);
    return { id };
  }).catch(refuseTakenName);
}

/**
 * Deletes a role, and gives its people another one. The audit entry has everything needed to create it again.
 * @returns how many people were moved, and how many views were shared with it
 * @throws AppError not-found, protected, not-allowed, invalid
 */
export async function deleteRole(
  context: Context,
  actor: Actor,
  { id, moveTo }: { id: string; moveTo: string },
): Promise<{ id: string; moved: number; unsharedViews: number }> {
  return changePermissions(context, actor, roleRoutes.delete, async (trx) => {
    const { name: roleName } = await getOwnRole(context, trx, actor, { id, what: 'deleted' });
    if (moveTo === id) throw fieldError('invalid', 'moveTo', 'Choose a role other than the deleted one.');
    const target = await namedRole(trx, 'moveTo', moveTo);
    await refuseStrongerRole(trx, actor, target.id);
    if (await hasRole(trx, actor.id, id)) {
      throw new AppError('protected', { message: 'You cannot delete your own user role.' });
    }
    const permissions = await identifiersOf(trx, id);
    const moved = await moveUsers(context, trx, actor, id, target.id);
    const unsharedViews = await unshareViews(trx, id);
    await deleteRoleRow(trx, id);
    await auditUsers(context, trx, actor, 'edit', moved);
    const people = { movedTo: target.name, moved: moved.size };
    const views = unsharedViews > 0 ? { unsharedViews } : {};
    await auditRole(context, trx, actor, 'delete', id, { roleName, permissions, ...people, ...views });
    return { id, moved: moved.size, unsharedViews };
  });
}

/**
 * Sets whether the users of a role need a second factor.
 * @returns how many sessions have ended, as none was ever proved in them
 * @throws AppError not-found; not-allowed for a role that may do what the caller may not
 */
export async function setRoleSecondFactor(
  context: Context,
  actor: Actor,
  { id, required }: { id: string; required: boolean },
): Promise<number> {
  return changePermissions(context, actor, roleFactorRoutes.setRequired, async (trx) => {
    await refuseStrongerRole(trx, actor, id);
    return setSecondFactorRequired(context, trx, actor, { id, required });
  });
}

/** Notes a change of a role in the audit trail. Call it last in a transaction. */
export function auditRole(
  context: Context,
  trx: Trx,
  actor: Actor,
  verb: 'create' | 'rename' | 'edit' | 'delete',
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  return appendAudit(context, trx, { actor, action: `roles.${verb}`, entity: 'roles', entityId, changes });
}

/** @throws AppError not-found */
export async function getRole(platform: Platform, id: string): Promise<RoleRow> {
  const role = await findRole(platform, id);
  if (!role) throw new AppError('not-found', { message: 'There is no such role.' });
  return role;
}

/** Reads a role that is not seeded, that no setting names, and that the caller may change. @throws AppError not-found, protected, not-allowed */
async function getOwnRole(
  { oidcProviders }: Context,
  trx: Trx,
  actor: Actor,
  { id, what }: { id: string; what: 'renamed' | 'deleted' },
): Promise<RoleRow> {
  const role = await getRole(trx, id);
  if (ROLES.some(({ name }) => name === role.name)) {
    throw new AppError('protected', { message: `'${role.name}' is built in: it cannot be ${what}.` });
  }
  // Whoever it is given to by that name could not sign in any more.
  const naming = oidcProviders.find(({ roles = {} }) =>
    Object.values(roles).some((name) => isSameName(name, role.name)),
  );
  if (naming) {
    const message = `The settings of '${naming.name}' give '${role.name}' to who signs in there: it cannot be ${what}.`;
    throw new AppError('protected', { message });
  }
  await refuseStrongerRole(trx, actor, id);
  return role;
}

/** The role that a field of the call names. @throws AppError invalid */
async function namedRole(trx: Trx, field: string, id: string): Promise<RoleRow> {
  const role = await findRole(trx, id);
  if (!role) throw fieldError('invalid', field, 'This role is unknown.');
  return role;
}

const identifiersOf = async (trx: Trx, roleId: string): Promise<string[]> =>
  (await listPermissionsOfRole(trx, roleId)).map(({ identifier }) => identifier);

const refuseTakenName = refuseBy({
  roles__name: () => fieldError('already-exists', 'roleName', 'A role with this name exists already.'),
});
