import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import { sql } from 'kysely';
import { ownershipMark, unfinishedMark } from '../../../db/cluster/ownership-mark.ts';
import type { Platform } from '../../../db/platform.ts';

/** The differences between registry and cluster. */
export interface Differences {
  tenantsWithoutDatabase: { id: string; code: string }[];
  missing: { name: string; isParked: boolean }[];
  withoutOwner: { physicalName: string }[];
  /** Unregistered databases have their physical name as `name`. */
  invalid: { name: string; physicalName: string }[];
  rolesWithoutDatabase: { roleName: string }[];
  outdated: { id: string; name: string; schemaVersion: number }[];
  closed: { name: string; physicalName: string; roleName: string; access: DatabaseAccess }[];
  drafts: { physicalName: string }[];
  unfinishedCopies: { physicalName: string }[];
}

/** The age at which a draft of the template is abandoned, in milliseconds. A draft is normally renamed within a minute. */
const DRAFT_AGE = 3_600_000;

/**
 * Compares the registry with those databases and roles of the cluster that this installation made. Databases with a claim are left out.
 * @see https://www.postgresql.org/docs/15/catalog-pg-database.html (datconnlimit -2: an interrupted DROP DATABASE)
 */
export async function findDifferences(platform: Platform, schemaVersion: number, now: Date): Promise<Differences> {
  const mark = await ownershipMark(platform);
  const isOurs = sql`shobj_description(d.oid, 'pg_database') = ${mark}`;
  const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
    (await query.execute(platform)).rows;
  return {
    tenantsWithoutDatabase: await rowsOf(sql<{ id: string; code: string }>`
      select id, code from tenants t where not exists (select from databases where tenant_id = t.id) order by code`),
    missing: await rowsOf(sql<{ name: string; isParked: boolean }>`
      select coalesce(p.name, r.name) as name, state = 'parked' as "isParked" from databases r
      left join parked_databases p on p.database_id = r.id
      where state in ('ready', 'parked') and not exists (select from pg_database where datname = r.physical_name)
        and not exists (select from operation_claims where database_id = r.id)
      order by name`),
    withoutOwner: await rowsOf(sql<{ physicalName: string }>`
      select datname as "physicalName" from pg_database d
      where ${isOurs} and datconnlimit <> -2
        and not exists (select from databases where physical_name = d.datname)
      order by datname`),
    invalid: await rowsOf(sql<{ name: string; physicalName: string }>`
      select coalesce(r.name, datname) as name, datname as "physicalName" from pg_database d
      left join databases r on r.physical_name = d.datname
      where ${isOurs} and datconnlimit = -2
        -- A database in state 'deleting' is settled or deleted by its operation.
        and coalesce(r.state, 'ready') = 'ready'
        and not exists (select from operation_claims where database_id = r.id)
      order by datname`),
    rolesWithoutDatabase: await rowsOf(sql<{ roleName: string }>`
      select rolname as "roleName" from pg_roles a
      where shobj_description(oid, 'pg_authid') = ${mark}
        and not exists (
          select from databases where a.rolname in (role_name, rtrim(left('read_' || role_name, 63), '_'))
        )
        and not exists (select from database_logins where role_name = a.rolname)
        and not exists (select from pg_database where datname = a.rolname)
      order by rolname`),
    outdated: await rowsOf(sql<{ id: string; name: string; schemaVersion: number }>`
      select id, name, schema_version as "schemaVersion" from databases r
      where state = 'ready' and schema_version < ${schemaVersion}
        and not exists (select from operation_claims where database_id = r.id)
      order by name`),
    closed: await rowsOf(sql<Differences['closed'][number]>`
      select name, physical_name as "physicalName", role_name as "roleName", access from databases r
      join pg_database d on d.datname = r.physical_name
      left join pg_roles a on a.rolname = r.role_name
      where state = 'ready' and datconnlimit <> -2 and (not datallowconn or a.rolcanlogin <> (access <> 'closed'))
        and not exists (select from operation_claims where database_id = r.id)
      order by name`),
    drafts: (
      await rowsOf(sql<{ physicalName: string }>`
        select datname as "physicalName" from pg_database
        where datname ~ '^apotheca_template_[0-9a-f]{12}_[0-9]+_[0-9]+$' order by datname`)
    ).filter(({ physicalName }) => Number(physicalName.split('_').at(-1)) < now.getTime() - DRAFT_AGE),
    unfinishedCopies: await rowsOf(sql<{ physicalName: string }>`
      select datname as "physicalName" from pg_database d
      where shobj_description(d.oid, 'pg_database') = ${await unfinishedMark(platform)}
        and not exists (select from databases where physical_name = d.datname)
      order by datname`),
  };
}

/**
 * Folders of the PostgreSQL server that belong to no database. A CREATE DATABASE leaves one when PostgreSQL is killed during it. Only
 * folders from before the server's start are listed, as a command that still runs cannot own them.
 * @returns their names in the folder `base`; none when the administrator is not a superuser
 * @see https://www.postgresql.org/docs/15/storage-file-layout.html
 */
export async function listOrphanDirectories(platform: Platform): Promise<string[]> {
  const rights = await sql<{ isAllowed: boolean }>`
    select has_function_privilege('pg_ls_dir(text)', 'execute')
      and has_function_privilege('pg_stat_file(text)', 'execute') as "isAllowed"`.execute(platform);
  if (!rights.rows[0]?.isAllowed) return [];
  const { rows } = await sql<{ name: string }>`
    select f.name
    from pg_ls_dir('base') as f (name)
    cross join lateral pg_stat_file('base/' || f.name, true) as s
    where f.name ~ '^[0-9]+$' and s.isdir and s.modification < pg_postmaster_start_time()
      and not exists (select from pg_database where oid::text = f.name)
    order by f.name`.execute(platform);
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

/** All backups, in every state, and whether a store has a whole copy of their archive. */
export async function listBackupRows(platform: Platform) {
  const { rows } = await sql<{ id: string; databaseName: string; state: string; hasCopy: boolean }>`
    select id, database_name as "databaseName", state,
      exists (select from backup_copies where backup_id = b.id and sha256 <> '' and state <> 'deleting') as "hasCopy"
    from backups b order by created_at`.execute(platform);
  return rows;
}

/** Takes a backup off the list. Its row is deleted within a minute, when what attempts to copy it left is removed. */
export async function discardBackupRow(platform: Platform, id: string): Promise<void> {
  await platform.updateTable('backups').set({ state: 'deleting' }).where('id', '=', id).execute();
}
