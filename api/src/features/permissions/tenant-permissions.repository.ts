import type { TenantPermission } from '@apotheca/contract/tenant-permissions';
import type pg from 'pg';
import type { Place } from '../../db/cluster/session.ts';
import type { Platform } from '../../db/platform.ts';

/** A tenant's permissions by module, its menus last. @param client in the tenant's database */
export async function listTenantPermissionRows(client: pg.Client): Promise<TenantPermission[]> {
  const { rows } = await client.query<TenantPermission>(
    `select id, module, name, identifier, is_menu as "isMenu", is_active as "isActive"
     from apotheca.permissions
     order by is_menu, module, sort_order, identifier`,
  );
  return rows;
}

/** The modules of which a tenant has an active permission, by name. @param client in the tenant's database */
export async function listActiveModules(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ module: string }>(
    'select distinct module from apotheca.permissions where is_active and not is_menu order by module',
  );
  return rows.map(({ module }) => module);
}

/** The database of the tenant with a code; undefined: there is none, or it is not ready. */
export async function findDatabaseOfCode(platform: Platform, code: string): Promise<Place | undefined> {
  return platform
    .selectFrom('tenants as t')
    .innerJoin('databases as d', 'd.tenantId', 't.id')
    .select(['d.serverId', 'd.physicalName'])
    .where('t.code', '=', code)
    .where('d.state', '=', 'ready')
    .executeTakeFirst();
}

/**
 * Switches a tenant's permission on or off, in one statement: a sync at the same time comes before or after it.
 * @param client in the tenant's database
 * @returns its name and how it was before; undefined when the tenant has no such permission
 */
export async function updateTenantPermission(
  client: pg.Client,
  identifier: string,
  isActive: boolean,
): Promise<{ name: string; wasActive: boolean } | undefined> {
  const { rows } = await client.query<{ name: string; wasActive: boolean }>(
    `with before as (select id, is_active from apotheca.permissions where identifier = $1 for update)
     update apotheca.permissions p
     set is_active = $2
     from before
     where p.id = before.id
     returning p.name, before.is_active as "wasActive"`,
    [identifier, isActive],
  );
  return rows[0];
}
