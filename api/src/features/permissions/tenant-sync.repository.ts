import { sql } from 'kysely';
import type pg from 'pg';
import type { Platform } from '../../db/platform.ts';
import type { CataloguePermission, PermissionComparison, TenantPermission } from './permission-sync.ts';

/** @throws when the control database does not answer */
export async function askPlatform(platform: Platform): Promise<void> {
  await sql`select`.execute(platform);
}

/** All permissions, as tenants get them, the menus last. */
export async function listCatalogue(platform: Platform): Promise<CataloguePermission[]> {
  const { rows } = await sql<CataloguePermission>`
    with recursive active_menus as (
      select id from permissions where is_menu and is_active and parent_permission_id is null
      union all
      select p.id from permissions p join active_menus m on m.id = p.parent_permission_id where p.is_active
    )
    select id, parent_permission_id as "parentPermissionId", module, name, identifier, route, icon,
      sort_order as "sortOrder", is_menu as "isMenu",
      is_active and (not is_menu or id in (select id from active_menus)) as "isActive"
    from permissions
    order by is_menu, sort_order, identifier`.execute(platform);
  return rows;
}

/** The tenants whose database is ready, by code. */
export function listTenantsToSync(platform: Platform): Promise<{ tenantId: string; tenantCode: string }[]> {
  return platform
    .selectFrom('tenants as t')
    .innerJoin('databases as d', 'd.tenantId', 't.id')
    .select(['t.id as tenantId', 't.code as tenantCode'])
    .where('d.state', '=', 'ready')
    .orderBy('t.code')
    .execute();
}

/** A tenant's permissions, locked until the transaction ends. @param client in a transaction of the tenant's database */
export async function lockTenantPermissions(client: pg.Client): Promise<TenantPermission[]> {
  await client.query('lock table apotheca.permissions in share row exclusive mode');
  const { rows } = await client.query<TenantPermission>(
    `select id, parent_permission_id as "parentPermissionId", module, name, identifier, route, icon,
       sort_order as "sortOrder", is_menu as "isMenu", is_active as "isActive", synced_is_active as "syncedIsActive"
     from apotheca.permissions`,
  );
  return rows;
}

/** Writes the differences that a comparison found. @param client in a transaction of the tenant's database */
export async function writeTenantPermissions(
  client: pg.Client,
  { added, changed, removed }: PermissionComparison,
): Promise<void> {
  // Delete before insert: a new permission may have the id of a deleted one. Insert before update: the new parent of a menu may be new.
  await deleteTenantPermissions(
    client,
    removed.map(({ id }) => id),
  );
  await insertTenantPermissions(client, added);
  await updateTenantPermissions(client, changed);
}

async function deleteTenantPermissions(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query(
    'update apotheca.permissions set parent_permission_id = null where parent_permission_id = any($1::uuid[])',
    [ids],
  );
  await client.query('delete from apotheca.permissions where id = any($1::uuid[])', [ids]);
}

const ROWS = `json_to_recordset($1::json) as r (id uuid, "parentPermissionId" uuid, module text, name text,
  identifier text, route text, icon text, "sortOrder" integer, "isMenu" boolean, "isActive" boolean,
  "syncedIsActive" boolean)`;

async function insertTenantPermissions(client: pg.Client, rows: readonly TenantPermission[]): Promise<void> {
  await client.query(
    `insert into apotheca.permissions (id, parent_permission_id, module, name, identifier, route, icon, sort_order,
       is_menu, is_active, synced_is_active)
     select id, "parentPermissionId", module, name, identifier, route, icon, "sortOrder", "isMenu", "isActive",
       "syncedIsActive"
     from ${ROWS}`,
    [JSON.stringify(rows)],
  );
}

async function updateTenantPermissions(client: pg.Client, rows: readonly TenantPermission[]): Promise<void> {
  await client.query(
    `update apotheca.permissions p
     set parent_permission_id = r."parentPermissionId", module = r.module, name = r.name, identifier = r.identifier,
       route = r.route, icon = r.icon, sort_order = r."sortOrder", is_menu = r."isMenu", is_active = r."isActive",
       synced_is_active = r."syncedIsActive", synced_at = now()
     from ${ROWS}
     where p.id = r.id`,
    [JSON.stringify(rows)],
  );
}
