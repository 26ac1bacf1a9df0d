import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Platform, PlatformTables } from '../../db/platform.ts';
import type { CataloguePermission, PermissionComparison, TenantPermission } from './permission-sync.ts';

/** The active permissions of the control database, as tenants are to have them. */
export function listActivePermissions(platform: Platform): Promise<CataloguePermission[]> {
  return platform
    .selectFrom('permissions')
    .select(['id', 'module', 'name', 'identifier', 'sortOrder'])
    .where('isActive', '=', true)
    .orderBy('sortOrder')
    .execute();
}

/** Writes the catalogue of the code into the control database; what is no longer in the code stays, roles may have it. */
export async function upsertCatalogue(trx: Transaction<PlatformTables>): Promise<{ added: number; changed: number }> {
  const rows = PERMISSION_CATALOGUE.map(({ module, name, identifier }, sortOrder) => ({
    module,
    name,
    identifier,
    sortOrder,
  }));
  const written = await trx
    .insertInto('permissions')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('identifier')
        .doUpdateSet((row) => ({
          module: row.ref('excluded.module'),
          name: row.ref('excluded.name'),
          sortOrder: row.ref('excluded.sortOrder'),
        }))
        .where(
          sql<boolean>`(permissions.module, permissions.name, permissions.sort_order)
            is distinct from (excluded.module, excluded.name, excluded.sort_order)`,
        ),
    )
    // xmax is 0 in a row that this statement inserted.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .execute();
  const added = written.filter(({ isNew }) => isNew).length;
  return { added, changed: written.length - added };
}

/** A tenant's permissions, kept from changing until the transaction ends. @param client in a transaction of the tenant's database */
export async function lockTenantPermissions(client: pg.Client): Promise<TenantPermission[]> {
  await client.query('lock table apotheca.permissions in share row exclusive mode');
  const { rows } = await client.query<TenantPermission>(
    `select id, module, name, identifier, sort_order as "sortOrder", is_active as "isActive",
       synced_is_active as "syncedIsActive"
     from apotheca.permissions
     where not is_menu`,
  );
  return rows;
}

/** Writes what a comparison found. @param client in a transaction of the tenant's database */
export async function writeTenantPermissions(
  client: pg.Client,
  { added, changed, removed }: PermissionComparison,
): Promise<void> {
  await client.query('delete from apotheca.permissions where id = any($1::uuid[])', [removed.map(({ id }) => id)]);
  await client.query(
    `update apotheca.permissions p
     set module = r.module, name = r.name, identifier = r.identifier, sort_order = r."sortOrder",
       is_active = r."isActive", synced_is_active = r."syncedIsActive", synced_at = now()
     from json_to_recordset($1::json) as r (id uuid, module text, name text, identifier text, "sortOrder" integer,
       "isActive" boolean, "syncedIsActive" boolean)
     where p.id = r.id`,
    [JSON.stringify(changed)],
  );
  await client.query(
    `insert into apotheca.permissions (id, module, name, identifier, sort_order)
     select id, module, name, identifier, "sortOrder"
     from json_to_recordset($1::json) as r (id uuid, module text, name text, identifier text, "sortOrder" integer)`,
    [JSON.stringify(added)],
  );
}
