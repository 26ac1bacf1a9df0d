import type { RolePlan } from '@apotheca/contract/permissions';
import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Platform } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { digestOf, refuseChangedPlan } from '../../plan.ts';
import { recordRefusal } from '../auth/callers.service.ts';
import { lockPermissions } from './permissions.repository.ts';
import {
  deleteRolePermissions,
  findPermissionLackedBy,
  findRole,
  insertRolePermissions,
  listPermissionsById,
  listPermissionsOfRole,
  listUsersOfRole,
  type PermissionKey,
  rolesList,
} from './roles.repository.ts';

/** The role that always has every permission. */
const ADMINISTRATOR = 'Administrator';

/** A new set of permissions for a role. */
interface RoleEdit {
  roleId: string;
  permissionIds: readonly string[];
}

/** All roles with what they may do. */
export const listRoles = rolesList;

/** The plan of giving a role a new set of permissions: what changes, and for whom. @throws AppError not-found, protected, invalid */
export async function planRole(context: Context, edit: RoleEdit): Promise<RolePlan> {
  return planOf(await compareRole(context.platform, edit));
}

/**
 * Gives a role a new set of permissions. It takes effect with the next request of its users.
 * @param sent digest of the plan that was confirmed
 * @throws AppError not-found, protected, invalid, plan-changed, not-allowed
 */
export async function editRole(
  context: Context,
  actor: Actor,
  { plan: sent, ...edit }: RoleEdit & { plan?: string | undefined },
): Promise<RolePlan> {
  const changed = context.platform.transaction().execute(async (trx) => {
    await lockPermissions(trx);
    const comparison = await compareRole(trx, edit);
    const { role, added, removed } = comparison;
    const plan = planOf(comparison);
    refuseChangedPlan(sent, plan, `Role ${plan.roleName}`);
    await refuseForeignPermissions(trx, actor, added);
    if (added.length + removed.length === 0) return plan;
    await insertRolePermissions(trx, role.id, added.map(idOf));
    await deleteRolePermissions(trx, role.id, removed.map(idOf));
    const changes = { roleName: plan.roleName, added: plan.added, removed: plan.removed };
    const event = { actor, action: 'roles.edit', entity: 'roles', entityId: role.id, changes };
    await appendAudit(context, trx, event);
    return plan;
  });
  return changed.catch(async (error: unknown) => {
    const isRefusal = error instanceof AppError && error.code === 'not-allowed';
    if (isRefusal) await recordRefusal(context, actor, '/rolepermissions/edit', error);
    throw error;
  });
}

/** What a change of a role's permissions does, in words. @param verb 'changed', 'would change' */
export function describeRolePlan(verb: string, { roleName, added, removed, users }: RolePlan): string {
  if (added.length + removed.length === 0) return `Role ${roleName} has these permissions already.`;
  const permissions = added.length === 1 ? '1 permission' : `${added.length} permissions`;
  const affected = users.length === 1 ? '1 user' : `${users.length} users`;
  return `Role ${roleName} ${verb}: ${permissions} added, ${removed.length} removed; ${affected} affected.`;
}

interface RoleComparison {
  role: { id: string; name: string };
  present: PermissionKey[];
  asked: PermissionKey[];
  added: PermissionKey[];
  removed: PermissionKey[];
  users: { id: string; userName: string }[];
}

async function compareRole(platform: Platform, { roleId, permissionIds }: RoleEdit): Promise<RoleComparison> {
  const role = await findRole(platform, roleId);
  if (!role) throw new AppError('not-found', { message: 'There is no such role.' });
  if (role.name === ADMINISTRATOR) {
    throw new AppError('protected', { message: 'The Administrator has every permission, always.' });
  }
  const asked = await listPermissionsById(platform, permissionIds);
  refuseUnknown(permissionIds, asked);
  const present = await listPermissionsOfRole(platform, role.id);
  return {
    role,
    present,
    asked,
    added: without(asked, present),
    removed: without(present, asked),
    users: await listUsersOfRole(platform, role.id),
  };
}

/** The digest covers the role, its present and its new permissions, and its users. */
function planOf({ role, present, asked, added, removed, users }: RoleComparison): RolePlan {
  const state = [role.id, present.map(idOf), asked.map(idOf), users.map(idOf)];
  return {
    roleName: role.name,
    added: added.map(({ identifier }) => identifier),
    removed: removed.map(({ identifier }) => identifier),
    users,
    digest: digestOf(state),
  };
}

const idOf = ({ id }: { id: string }): string => id;

function without(permissions: readonly PermissionKey[], others: readonly PermissionKey[]): PermissionKey[] {
  const ids = new Set(others.map(idOf));
  return permissions.filter(({ id }) => !ids.has(id));
}

function refuseUnknown(ids: readonly string[], known: readonly PermissionKey[]): void {
  const knownIds = new Set(known.map(idOf));
  const unknown = ids.filter((id) => !knownIds.has(id.toLowerCase()));
  if (unknown.length === 0) return;
  const message = `There is no permission ${unknown[0]}.`;
  throw fieldError('invalid', 'permissionIds', message);
}

/** Refuses to give a role a permission that the caller does not have. */
async function refuseForeignPermissions(
  platform: Platform,
  actor: Actor,
  added: readonly PermissionKey[],
): Promise<void> {
  const lacked = await findPermissionLackedBy(platform, actor.id, added.map(idOf));
  if (!lacked) return;
  const { identifier: permission } = lacked;
  throw new AppError('not-allowed', { message: `You do not have the permission '${permission}'.`, permission });
}
