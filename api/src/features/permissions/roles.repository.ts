import { sql } from 'kysely';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform, Trx } from '../../db/platform.ts';

/** A permission's id and identifier. */
export interface PermissionKey {
  id: string;
  identifier: string;
}

/** All roles with their permissions, and how many users have each, in the shape of contract/permissions `role`; deleted users are left out. */
export const rolesList: TrackedList<unknown> = {
  tables: ['roles', 'role_permissions', 'users'],
  select: () => ({
    name: 'roles',
    rows: `
      select r.id, r.name as "roleName",
        (select count(*) from users u where u.role_id = r.id and u.deleted_at is null) as users,
        array(select rp.permission_id from role_permissions rp where rp.role_id = r.id order by rp.permission_id)
          as "permissionIds"
      from roles r
      order by r.name`,
  }),
};

export function findRole(platform: Platform, id: string): Promise<{ id: string; name: string } | undefined> {
  return platform.selectFrom('roles').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
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

/** The first of the given permissions, by identifier, that a user's role does not have. */
export function findPermissionLackedBy(
  platform: Platform,
  userId: string | null,
  ids: readonly string[],
): Promise<PermissionKey | undefined> {
  return platform
    .selectFrom('permissions as p')
    .select(['p.id', 'p.identifier'])
    .where('p.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as u')
            .innerJoin('rolePermissions as rp', 'rp.roleId', 'u.roleId')
            .select('u.id')
            .where('u.id', '=', userId)
            .whereRef('rp.permissionId', '=', 'p.id'),
        ),
      ),
    )
    .orderBy('p.identifier')
    .executeTakeFirst();
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
