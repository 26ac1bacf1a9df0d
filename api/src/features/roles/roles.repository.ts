import { ROLES } from '@apotheca/contract/permission-catalogue';
import { type Selectable, sql } from 'kysely';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type RoleRow = Pick<Selectable<PlatformTables['roles']>, 'id' | 'name' | 'version' | 'requiresSecondFactor'>;

/** A permission's id and identifier. */
export interface PermissionKey {
  id: string;
  identifier: string;
}

/** All roles with their permissions, and how many users have each, in the shape of contract/roles `role`; deleted users are left out. */
export const rolesList: TrackedList<unknown> = {
  tables: ['roles', 'role_permissions', 'users'],
  select: () => ({
    name: 'roles',
    values: [ROLES.map(({ name }) => name)],
    rows: `
      select r.id, r.name as "roleName", r.name = any($1::text[]) as "isBuiltIn", r.version,
        (select count(*) from users u where u.role_id = r.id and u.deleted_at is null) as users,
        array(select rp.permission_id from role_permissions rp where rp.role_id = r.id order by rp.permission_id)
          as "permissionIds", r.requires_second_factor as "requiresSecondFactor"
      from roles r
      order by r.name`,
  }),
};

export function findRole(platform: Platform, id: string): Promise<RoleRow | undefined> {
  const role = platform.selectFrom('roles').select(['id', 'name', 'version', 'requiresSecondFactor']);
  return role.where('id', '=', id).executeTakeFirst();
}

/** @returns the new role's id */
export async function insertRole(trx: Trx, role: Pick<RoleRow, 'name' | 'requiresSecondFactor'>): Promise<string> {
  return (await trx.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()).id;
}

export async function copyRolePermissions(trx: Trx, from: string, to: string): Promise<void> {
  await sql`
    insert into role_permissions (role_id, permission_id)
    select ${to}, permission_id from role_permissions where role_id = ${from}`.execute(trx);
}

/** Changes a role's name, and increments its version. */
export async function renameRoleRow(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('roles').set({ name, version: sql`version + 1` }).where('id', '=', id).execute();
}

/** Shares views with a role no more: they are their owners' alone then. @returns how many */
export async function unshareViews(trx: Trx, roleId: string): Promise<number> {
  const unshared = trx.updateTable('savedViews').set({ roleId: null }).where('roleId', '=', roleId);
  return Number((await unshared.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Deletes a role that nobody has, with what it may do. */
export async function deleteRoleRow(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('roles').where('id', '=', id).execute();
}

/** Whether a user has a role. */
export async function hasRole(platform: Platform, userId: string | null, roleId: string): Promise<boolean> {
  const user = platform.selectFrom('users').select('id').where('id', '=', userId).where('roleId', '=', roleId);
  return (await user.executeTakeFirst()) !== undefined;
}

/** The permissions that a role has, by identifier. */
export function listPermissionsOfRole(platform: Platform, roleId: string): Promise<PermissionKey[]> {
  return platform
    .selectFrom('rolePermissions as rp')
    .innerJoin('permissions as p', 'p.id', 'rp.permissionId')
    .select(['p.id', 'p.identifier'])
    .where('rp.roleId', '=', roleId)
    .orderBy('p.identifier')
    .execute();
}

/** The active permissions of a user's role, by identifier. */
export async function listPermissionsOfUser(platform: Platform, userId: string): Promise<string[]> {
  const rows = await platform
    .selectFrom('users as u')
    .innerJoin('rolePermissions as rp', 'rp.roleId', 'u.roleId')
    .innerJoin('permissions as p', 'p.id', 'rp.permissionId')
    .select('p.identifier')
    .where('u.id', '=', userId)
    .where('p.isActive', '=', true)
    .orderBy('p.identifier')
    .execute();
  return rows.map(({ identifier }) => identifier);
}

/** The names of the roles that have a permission and that somebody has who can sign in. */
export async function listRolesInUseWith(platform: Platform, permission: string): Promise<string[]> {
  const rows = await platform
    .selectFrom('roles as r')
    .innerJoin('rolePermissions as rp', 'rp.roleId', 'r.id')
    .innerJoin('permissions as p', 'p.id', 'rp.permissionId')
    .innerJoin('users as u', 'u.roleId', 'r.id')
    .select('r.name')
    .distinct()
    .where('p.identifier', '=', permission)
    .where('p.isActive', '=', true)
    .where('u.isActive', '=', true)
    .where('u.isService', '=', false)
    .where('u.deletedAt', 'is', null)
    .orderBy('r.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Those of the given permissions that exist, by identifier. */
export function listPermissionsById(platform: Platform, ids: readonly string[]): Promise<PermissionKey[]> {
  return platform
    .selectFrom('permissions')
    .select(['id', 'identifier'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('identifier')
    .execute();
}

/** The users of a role, by name. Deleted users are left out. */
export function listUsersOfRole(platform: Platform, roleId: string): Promise<{ id: string; userName: string }[]> {
  return platform
    .selectFrom('users')
    .select(['id', sql<string>`coalesce(nullif(user_name, ''), email)`.as('userName')])
    .where('roleId', '=', roleId)
    .where('deletedAt', 'is', null)
    .orderBy('userName')
    .orderBy('id')
    .execute();
}

export async function insertRolePermissions(trx: Trx, roleId: string, permissionIds: readonly string[]): Promise<void> {
  await sql`
    insert into role_permissions (role_id, permission_id)
    select ${roleId}, unnest(${permissionIds}::uuid[])`.execute(trx);
}

export async function deleteRolePermissions(trx: Trx, roleId: string, permissionIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('rolePermissions')
    .where('roleId', '=', roleId)
    .where('permissionId', '=', sql<string>`any(${permissionIds}::uuid[])`)
    .execute();
}
