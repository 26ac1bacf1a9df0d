import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import { sql } from 'kysely';
import type { ClusterSession } from '../../../db/cluster/session.ts';
import type { Platform } from '../../../db/platform.ts';

/** A database of the registry, as reconciliation compares it. */
export interface RegisteredDatabase {
  id: string;
  /** The name that people know it by, also where it is parked. */
  name: string;
  physicalName: string;
  roleName: string;
  state: 'creating' | 'ready' | 'deleting' | 'parked';
  access: DatabaseAccess;
  /** Whether a tenant owns it. */
  isTenants: boolean;
  /** Whether an operation works on it. */
  isClaimed: boolean;
}

/** The databases that live on a server. */
export async function listRegistered(platform: Platform, serverId: string): Promise<RegisteredDatabase[]> {
  const { rows } = await sql<RegisteredDatabase>`
    select d.id, coalesce(p.name, d.name) as name, physical_name as "physicalName", role_name as "roleName", state, access,
      d.tenant_id is not null as "isTenants",
      exists (select from operation_claims c where c.database_id = d.id) as "isClaimed"
    from databases d left join parked_databases p on p.database_id = d.id
    where server_id = ${serverId} order by 1`.execute(platform);
  return rows;
}

/** The roles by which programs log in to the databases of a server. */
export async function listLoginNames(platform: Platform, serverId: string): Promise<string[]> {
  const rows = await platform
    .selectFrom('databaseLogins as l')
    .innerJoin('databases as d', 'd.id', 'l.databaseId')
    .select('l.roleName')
    .where('d.serverId', '=', serverId)
    .execute();
  return rows.map(({ roleName }) => roleName);
}

/** What databases, and the roles and logins of them, are called in PostgreSQL. */
export interface NamesInPostgres {
  physicalName: string;
  roleName: string;
  logins: string[];
}

/**
 * The names of the databases that an operation works on, or that it has left to settling: a move gives those of a database to what is on a second
 * server, and the other way round, before the registry follows.
 */
export async function listNamesInWork(platform: Platform): Promise<NamesInPostgres[]> {
  const { rows } = await sql<NamesInPostgres>`
    select physical_name as "physicalName", role_name as "roleName",
      array(select role_name from database_logins l where l.database_id = d.id) as logins
    from databases d
    where exists (select from operation_claims c where c.database_id = d.id)
      or exists (select from databases made where made.state = 'creating' and d.id in (made.id, made.copied_from))`.execute(
    platform,
  );
  return rows;
}

/** On which servers the databases of some names live, by their names in PostgreSQL. */
export async function listServersOf(
  platform: Platform,
  physicalNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (physicalNames.length === 0) return new Map();
  const rows = await platform
    .selectFrom('databases as d')
    .innerJoin('databaseServers as s', 's.id', 'd.serverId')
    .select(['d.physicalName', 's.name'])
    .where('d.physicalName', 'in', physicalNames)
    .execute();
  return new Map(rows.map(({ physicalName, name }) => [physicalName, name]));
}

/** The names of the servers that databases may live on: a retired one may be switched off. */
export async function listServersInUse(platform: Platform): Promise<string[]> {
  const rows = await platform.selectFrom('databaseServers').select('name').where('state', '<>', 'retired').execute();
  return rows.map(({ name }) => name);
}

/** The tenants without a database, by code. */
export async function listTenantsWithoutDatabase(platform: Platform): Promise<{ id: string; code: string }[]> {
  const { rows } = await sql<{ id: string; code: string }>`
    select id, code from tenants t where not exists (select from databases where tenant_id = t.id) order by code`.execute(
    platform,
  );
  return rows;
}

/** The databases of all servers with an older schema that no operation works on. */
export async function listOldSchemas(
  platform: Platform,
  schemaVersion: number,
): Promise<{ id: string; name: string; schemaVersion: number }[]> {
  const { rows } = await sql<{ id: string; name: string; schemaVersion: number }>`
    select id, name, schema_version as "schemaVersion" from databases r
    where state = 'ready' and schema_version < ${schemaVersion}
      and not exists (select from operation_claims where database_id = r.id)
    order by name`.execute(platform);
  return rows;
}

/**
 * Folders of the PostgreSQL server that belong to no database. A CREATE DATABASE leaves one when PostgreSQL is killed during it. Only
 * folders from before the server's start are listed, as a command that still runs cannot own them.
 * @returns their names in the folder `base`; none when the administrator is not a superuser
 * @see https://www.postgresql.org/docs/15/storage-file-layout.html
 */
export async function listOrphanDirectories(cluster: ClusterSession): Promise<string[]> {
  const rights = await sql<{ isAllowed: boolean }>`
    select has_function_privilege('pg_ls_dir(text)', 'execute')
      and has_function_privilege('pg_stat_file(text)', 'execute') as "isAllowed"`.execute(cluster);
  if (!rights.rows[0]?.isAllowed) return [];
  const { rows } = await sql<{ name: string }>`
    select f.name
    from pg_ls_dir('base') as f (name)
    cross join lateral pg_stat_file('base/' || f.name, true) as s
    where f.name ~ '^[0-9]+$' and s.isdir and s.modification < pg_postmaster_start_time()
      and not exists (select from pg_database where oid::text = f.name)
    order by f.name`.execute(cluster);
  return rows.map(({ name }) => name);
}

/** Makes a database a tenant's. Violates `databases__tenant_id` when the tenant has one. */
export async function setTenant(platform: Platform, databaseId: string, tenantId: string): Promise<void> {
  await platform.updateTable('databases').set({ tenantId }).where('id', '=', databaseId).execute();
}

/** The number of ready databases. */
export async function countReadyDatabases(platform: Platform): Promise<number> {
  const { count } = await platform
    .selectFrom('databases')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('state', '=', 'ready')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A backup that is on the list, of whose archive neither the folder nor a store has a whole one. */
export interface LostBackup {
  id: string;
  databaseName: string;
  createdAt: Date;
}

/**
 * Compares the archives in the folder with the backups: only what differs is read into memory.
 * @param archives the ids that they are named after
 * @returns the lost backups, oldest first, and the ids of archives that belong to no backup, whatever its state
 */
export async function compareBackups(
  platform: Platform,
  archives: readonly string[],
): Promise<(LostBackup | { id: string; databaseName: null })[]> {
  const { rows } = await sql<LostBackup | { id: string; databaseName: null }>`
    select coalesce(b.id, f.id) as id, b.database_name as "databaseName", b.created_at as "createdAt"
    from backups b full join unnest(${archives}::uuid[]) as f (id) on f.id = b.id
    where (b.id is null or f.id is null and b.state = 'ready' and not exists (
      select from backup_copies where backup_id = b.id and sha256 <> '' and state <> 'deleting'
    ))
    order by b.created_at`.execute(platform);
  return rows;
}

/** Takes a backup off the list. Its row is deleted within a minute, when what attempts to copy it left is removed. */
export async function discardBackupRow(platform: Platform, id: string): Promise<void> {
  await platform.updateTable('backups').set({ state: 'deleting' }).where('id', '=', id).execute();
}
