import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { PERMISSION_LIMITS, type PermissionSortColumn } from '@apotheca/contract/permissions';
import type { SortedBy } from '@apotheca/contract/sorting';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type PermissionRow = Selectable<PlatformTables['permissions']>;

/** Key of the advisory lock under which permissions, menus and roles are changed: two moves at once would make a cycle. */
const PERMISSIONS_LOCK = 7_206_433;

/** Sort keys of the contract and the expressions they stand for; ties are ordered by identifier. */
const SORT_EXPRESSIONS: Record<PermissionSortColumn, string> = {
  sortOrder: 'p.sort_order',
  module: 'p.module collate case_insensitive',
  name: 'p.name collate case_insensitive',
  identifier: 'p.identifier',
};

/** Locks permissions, menus and roles against other changes until the transaction ends. It is the transaction's first statement. */
export async function lockPermissions(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PERMISSIONS_LOCK})`.execute(trx);
}

/** All permissions, menus among them, in the shape of contract/permissions `permission`. */
export const permissionsList: TrackedList<SortedBy<PermissionSortColumn>> = {
  tables: ['permissions'],
  select({ sortColumn, sortDirection }) {
    const direction = sortDirection === 'desc' ? 'desc' : 'asc';
    return {
      name: `permissions-by-${sortColumn}-${direction}`,
      rows: `
        select
          p.id, p.name, p.module, p.identifier, p.sort_order as "sortOrder", p.is_active as "isActive",
          p.is_menu as "isMenu", p.icon, p.route, p.parent_permission_id as "parentPermissionId",
          p.is_built_in as "isBuiltIn", p.version, p.created_by as "createdBy", p.updated_by as "updatedBy",
          lag(p.id) over siblings is null as "isFirst", lead(p.id) over siblings is null as "isLast"
        from permissions p
        window siblings as (
          partition by p.is_menu, case when p.is_menu then p.parent_permission_id::text else p.module end
          order by p.sort_order, p.created_at, p.id
        )
        order by ${SORT_EXPRESSIONS[sortColumn]} ${direction}, p.identifier asc`,
      toResult: (json) => `{"permissions":${json}}`,
    };
  },
};

/** New ids that no permission has. */
export async function listUnusedIds(platform: Platform, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select fresh.id
    from (select gen_random_uuid() as id from generate_series(1, ${count * 2}::integer)) fresh
    where not exists (select from permissions p where p.id = fresh.id)
    limit ${count}`.execute(platform);
  return rows.map(({ id }) => id);
}

export async function insertPermission(
  trx: Trx,
  row: Insertable<PlatformTables['permissions']>,
): Promise<PermissionRow> {
  return trx.insertInto('permissions').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Whether another menu than one with the same parent has a name, ignoring case. @param parentId null: top-level menus */
export async function hasMenuNamed(trx: Trx, id: string, name: string, parentId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from permissions
    where is_menu and id <> ${id} and parent_permission_id is not distinct from ${parentId}::uuid
      and name collate case_insensitive = ${name}
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** An identifier that no permission has: the given one, or the given one with the lowest number from 2 on that is free. */
export async function findFreeIdentifier(trx: Trx, identifier: string): Promise<string> {
  const { rows } = await sql<{ identifier: string }>`
    select candidate.identifier
    from generate_series(1, (select count(*) + 1 from permissions)) as number, lateral (
      select case number
        when 1 then ${identifier}::text
        else left(${identifier}::text, ${PERMISSION_LIMITS.identifier}::integer - length(number::text)) || number
      end as identifier
    ) as candidate
    where not exists (select from permissions p where p.identifier = candidate.identifier)
    order by number
    limit 1`.execute(trx);
  return rows[0]?.identifier ?? identifier;
}

/** Gives a permission to the Administrator, who has all of them. */
export async function grantToAdministrator(trx: Trx, permissionId: string): Promise<void> {
  await trx
    .insertInto('rolePermissions')
    .columns(['roleId', 'permissionId'])
    .expression((query) =>
      query
        .selectFrom('roles')
        .select(['id', sql<string>`${permissionId}::uuid`.as('permissionId')])
        .where('name', '=', ADMINISTRATOR),
    )
    .execute();
}

/** Gives a permission to roles; those that have it keep it. */
export async function grantToRoles(trx: Trx, permissionId: string, roleIds: readonly string[]): Promise<void> {
  await sql`
    insert into role_permissions (role_id, permission_id)
    select distinct role_id, ${permissionId}::uuid from unnest(${roleIds}::uuid[]) as role_id
    on conflict do nothing`.execute(trx);
}

export function findPermission(platform: Platform, id: string): Promise<PermissionRow | undefined> {
  return platform.selectFrom('permissions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes columns of a permission, and increments its version. @returns the changed row */
export function updatePermission(
  trx: Trx,
  id: string,
  fields: Updateable<PlatformTables['permissions']>,
): Promise<PermissionRow> {
  return trx
    .updateTable('permissions')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes permissions; roles lose them. */
export async function deletePermissions(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('permissions').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
}

/** Names of the roles that have a permission. */
export async function listRoleNamesOf(platform: Platform, permissionId: string): Promise<string[]> {
  const roles = await platform
    .selectFrom('rolePermissions as rp')
    .innerJoin('roles as r', 'r.id', 'rp.roleId')
    .select('r.name')
    .where('rp.permissionId', '=', permissionId)
    .orderBy('r.name')
    .execute();
  return roles.map(({ name }) => name);
}

/** How many menus are directly inside a menu. */
export async function countChildMenus(platform: Platform, id: string): Promise<number> {
  const { count } = await platform
    .selectFrom('permissions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('parentPermissionId', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether a menu is another one, or anywhere inside it. */
export async function isWithinMenu(platform: Platform, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive upwards as (
      select id, parent_permission_id from permissions where id = ${id}
      union
      select p.id, p.parent_permission_id from permissions p join upwards u on p.id = u.parent_permission_id
    )
    select from upwards where id = ${ancestorId}`.execute(platform);
  return rows.length > 0;
}
