import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { type RolePlan, roleRoutes } from '@apotheca/contract/roles';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Platform } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { digestOf, refuseChangedPlan } from '../../plan.ts';
import { changePermissions } from '../permissions/permission-change.ts';
import { refuseLackedPermissions, refuseStrongerRole } from '../users/user-protection.ts';
import {
  deleteRolePermissions,
  insertRolePermissions,
  listPermissionsById,
  listPermissionsOfRole,
  listUsersOfRole,
  type PermissionKey,
} from './roles.repository.ts';
import { auditRole, getRole } from './roles.service.ts';

/** A new set of permissions for a role. */
interface PermissionsEdit {
  roleId: string;
  permissionIds: readonly string[];
}

/** The plan of giving a role a new set of permissions: what changes, and for whom. @throws AppError not-found, protected, invalid */
export async function planRolePermissions(context: Context, edit: PermissionsEdit): Promise<RolePlan> {
  return planOf(await compareRole(context.platform, edit));
}

/**
 * Gives a role a new set of permissions. It takes effect with the next request of its users.
 * @param sent digest of the plan that was confirmed
 * @throws AppError not-found, protected, invalid, plan-changed, not-allowed
 */
export async function editRolePermissions(
  context: Context,
  actor: Actor,
  { plan: sent, ...edit }: PermissionsEdit & { plan?: string | undefined },
): Promise<RolePlan> {
  return changePermissions(context, actor, roleRoutes.editPermissions, async (trx) => {
    const comparison = await compareRole(trx, edit);
    const { role, added, removed } = comparison;
    const plan = planOf(comparison);
    refuseChangedPlan(sent, plan, `Role ${plan.roleName}`);
    await refuseStrongerRole(trx, actor, role.id);
    await refuseLackedPermissions(trx, actor, added.map(idOf));
    if (added.length + removed.length === 0) return plan;
    await insertRolePermissions(trx, role.id, added.map(idOf));
    await deleteRolePermissions(trx, role.id, removed.map(idOf));
    await auditRole(context, trx, actor, 'edit', role.id, {
      roleName: plan.roleName,
      added: plan.added,
      removed: plan.removed,
    });
    return plan;
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

async function compareRole(platform: Platform, { roleId, permissionIds }: PermissionsEdit): Promise<RoleComparison> {
  const role = await getRole(platform, roleId);
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
