import type { Insertable, Transaction } from 'kysely';
import { sql } from 'kysely';
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
