import type { SortDirection } from '@apotheca/contract/sorting';
import { type Insertable, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { selectJsonList } from '../../db/json-list.ts';
import type { Platform, PlatformTables } from '../../db/platform.ts';

type Trx = Transaction<PlatformTables>;

export interface DatabaseRow {
  id: string;
  name: string;
  physicalName: string;
  roleName: string;
  rolePassword: Buffer;
  tenantId: string | null;
  copiedFrom: string | null;
  state: 'creating' | 'ready' | 'deleting';
}

const databases = (platform: Platform) =>
  platform
    .selectFrom('databases')
    .select(['id', 'name', 'physicalName', 'roleName', 'rolePassword', 'tenantId', 'copiedFrom', 'state']);

export async function insertDatabase(trx: Trx, row: Insertable<PlatformTables['databases']>): Promise<void> {
  await trx.insertInto('databases').values(row).execute();
}

export function findDatabaseById(platform: Platform, id: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('id', '=', id).executeTakeFirst();
}

/** A database that is ready, by its shown name, ignoring case. */
export function findReadyDatabaseByName(platform: Platform, name: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('name', '=', name).where('state', '=', 'ready').executeTakeFirst();
}

/** A tenant's database, whatever its state. */
export function findDatabaseByTenant(platform: Platform, tenantId: string): Promise<DatabaseRow | undefined> {
  return databases(platform).where('tenantId', '=', tenantId).executeTakeFirst();
}

/** What a crash may have left half-way. */
export function listUnsettledDatabases(platform: Platform): Promise<DatabaseRow[]> {
  return databases(platform).where('state', '<>', 'ready').orderBy('createdAt').execute();
}

/** The registered databases that are ready but that PostgreSQL has closed to connections. */
export async function listClosedDatabases(platform: Platform): Promise<DatabaseRow[]> {
  return databases(platform)
    .where('state', '=', 'ready')
    .where('physicalName', 'in', sql<string>`(select datname from pg_database where not datallowconn)`)
    .execute();
}

/** Moves a database on, if it is still in the expected state. @returns whether it was */
export async function setDatabaseState(
  platform: Platform,
  id: string,
  from: DatabaseRow['state'],
  to: DatabaseRow['state'],
): Promise<boolean> {
  const moved = await platform
    .updateTable('databases')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function setDatabaseName(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('databases').set({ name }).where('id', '=', id).execute();
}

export async function deleteDatabase(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('databases').where('id', '=', id).execute();
}

/** All databases that are ready, as the JSON text of an array in the shape of contract/databases `database`. */
export function listDatabasesJson(pool: pg.Pool, direction: SortDirection): Promise<string> {
  const order = direction === 'desc' ? 'desc' : 'asc';
  return selectJsonList(pool, {
    name: `databases-by-name-${order}`,
    rows: `
      select
        d.id, d.name as "databaseName", t.code as "tenantCode", t.customer_code as "customerCode",
        source.name as "copiedFrom", d.created_at as "createdOnUtc"
      from databases d
      left join tenants t on t.id = d.tenant_id
      left join databases source on source.id = d.copied_from
      where d.state = 'ready'
      order by d.name ${order}`,
  });
}

export interface DatabaseSummary {
  id: string;
  databaseName: string;
  tenantCode: string | null;
  customerCode: string | null;
  copiedFrom: string | null;
  createdOnUtc: string;
}

/** What the list shows of one database. */
export async function getDatabaseSummary(platform: Platform, id: string): Promise<DatabaseSummary> {
  const row = await platform
    .selectFrom('databases as d')
    .leftJoin('tenants as t', 't.id', 'd.tenantId')
    .leftJoin('databases as source', 'source.id', 'd.copiedFrom')
    .select([
      'd.id',
      'd.name as databaseName',
      't.code as tenantCode',
      't.customerCode',
      'source.name as copiedFrom',
      'd.createdAt',
    ])
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow();
  const { createdAt, ...summary } = row;
  return { ...summary, createdOnUtc: createdAt.toISOString() };
}
