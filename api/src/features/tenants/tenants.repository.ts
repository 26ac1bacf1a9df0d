import type { SortedBy } from '@apotheca/contract/sorting';
import { TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import type { TenantSortColumn } from '@apotheca/contract/tenants';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

export type TenantRow = Selectable<PlatformTables['tenants']>;

/** The SQL expressions of the contract's sort keys. Equal values are sorted by code. */
const SORT_EXPRESSIONS: Record<TenantSortColumn, string> = {
  code: 't.code',
  customerCode: 't.customer_code',
  emrId: 'e.name',
  firstName: 't.first_name',
  subscriptionEndDate: 't.subscription_end_date',
};

/** The texts that the contract limits, each a column of its name; a database's name is not the tenant's. */
const TEXTS = Object.keys(TENANT_LIMITS)
  .filter((field) => field !== 'databaseName')
  .map((field) => `t.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`)
  .join(', ');

/**
 * All tenants whose database is ready, in the shape of contract/tenants `tenant`.
 * @param home host and port of the home server in the connection strings
 */
export const tenantsList = (home: string): TrackedList<SortedBy<TenantSortColumn>> => ({
  tables: ['tenants', 'databases', 'database_servers', 'emrs', 'timezones', 'tenant_statuses'],
  select({ sortColumn, sortDirection }) {
    const direction = sortDirection === 'desc' ? 'desc' : 'asc';
    return {
      name: `tenants-by-${sortColumn}-${direction}`,
      values: [home],
      // The JSON of the small tables is made once, not for every tenant (decision 034).
      rows: `
        with e as materialized (select id, name, json_build_object('name', name) as item from emrs),
        z as materialized (select id, json_build_object('displayName', display_name) as item from timezones),
        v as materialized (
          select id, coalesce(case when host collate "C" like '%:%' then '[' || host || ']' else host end || ':' || port, $1) as address
          from database_servers
        ),
        s as materialized (select id, json_build_object('name', name) as item from tenant_statuses)
        select
          t.id, ${TEXTS}, d.name as "databaseName", t.timezone_id as "timezoneId",
          t.tenant_status_id as "tenantStatusId", t.subscription_start_date as "subscriptionStartDate",
          t.subscription_end_date as "subscriptionEndDate", t.postponed_to as "postponedTo", t.is_active as "isActive", t.license_count as "licenseCount",
          'postgresql://' || d.role_name || '@' || v.address || '/' || d.physical_name as "connectionString",
          t.version, t.created_by as "createdBy", t.updated_by as "updatedBy", t.created_at as "createdOnUtc",
          e.item as emr, z.item as timezone, s.item as "tenantStatus"
        from tenants t
        join databases d on d.tenant_id = t.id and d.state = 'ready'
        join v on v.id = d.server_id
        join e on e.id = t.emr_id
        join z on z.id = t.timezone_id
        join s on s.id = t.tenant_status_id
        order by ${SORT_EXPRESSIONS[sortColumn]} ${direction}, t.code asc`,
    };
  },
});

export async function insertTenant(trx: Trx, row: Insertable<PlatformTables['tenants']>): Promise<void> {
  await trx.insertInto('tenants').values(row).execute();
}

/** A tenant's row, locked until the transaction ends. */
export function lockTenant(trx: Trx, id: string) {
  return trx.selectFrom('tenants').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A tenant's row, if its database is ready. */
export function findTenant(platform: Platform, id: string) {
  return platform
    .selectFrom('tenants')
    .innerJoin('databases', 'databases.tenantId', 'tenants.id')
    .selectAll('tenants')
    .where('tenants.id', '=', id)
    .where('databases.state', '=', 'ready')
    .executeTakeFirst();
}

/** All tenants whose database is ready, with its name. */
export function listTenantsWithName(platform: Platform) {
  return platform
    .selectFrom('tenants')
    .innerJoin('databases', 'databases.tenantId', 'tenants.id')
    .selectAll('tenants')
    .select('databases.name as databaseName')
    .where('databases.state', '=', 'ready')
    .execute();
}

/** Changes a tenant's columns and increments its version. */
export async function updateTenant(trx: Trx, id: string, fields: Updateable<PlatformTables['tenants']>): Promise<void> {
  await trx
    .updateTable('tenants')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Deletes a tenant's row. @returns its code */
export async function deleteTenant(trx: Trx, id: string): Promise<string | undefined> {
  const deleted = await trx.deleteFrom('tenants').where('id', '=', id).returning('code').executeTakeFirst();
  return deleted?.code;
}

/** Whether any tenant has a code, whatever the state of its database. */
export async function isTenantCodeTaken(platform: Platform, code: string): Promise<boolean> {
  return (await platform.selectFrom('tenants').select('id').where('code', '=', code).executeTakeFirst()) !== undefined;
}
