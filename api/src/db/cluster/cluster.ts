import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import { sql } from 'kysely';
import type { Trx } from '../platform.ts';
import { dropLoginRole, listLoginRoles } from './login-roles.ts';
import { identifier, literal, quoteIdentifier, readerName } from './names.ts';
import { ownershipMark, unfinishedMark } from './ownership-mark.ts';
import type { ClusterSession } from './session.ts';
import { makeTenantRole, type TenantRole } from './tenant-role.ts';

/** Leaves it to a later commit to wait for the disk. What the transaction writes counts for nothing until that one has ended. */
export async function commitAsynchronously(trx: Trx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}

/**
 * Makes a database with a login role of its own. No other role can connect to it, and its role to no other (DECISIONS §6). It counts as
 * unfinished ({@link markAsFinished}). Utility commands run outside of transactions: if one fails, the caller calls {@link dropDatabaseAndRole}.
 * @param template physical name of the database to copy, which must have no sessions
 */
export async function createDatabaseAndRole(
  cluster: ClusterSession,
  database: TenantRole & { physicalName: string; template: string },
): Promise<void> {
  await makeTenantRole(cluster, database);
  await createDatabase(cluster, database);
}

/**
 * Makes a database for a login role that exists. Its last commit waits for no disk: one that tells of the database has to follow.
 * @param database without a template it is empty; without a role, nobody but administrators can connect to it. It counts as unfinished
 *   ({@link markAsFinished}), unless `isComplete`: nothing is loaded or changed in it before it is ready
 */
export async function createDatabase(
  cluster: ClusterSession,
  database: { physicalName: string; roleName: string | null; template: string | null; isComplete?: boolean },
): Promise<void> {
  const name = identifier(database.physicalName);
  const role = database.roleName === null ? null : identifier(database.roleName);
  const template = sql.raw(database.template === null ? EMPTY : `template ${quoteIdentifier(database.template)}`);
  const mark = await (database.isComplete ? ownershipMark : unfinishedMark)(cluster);
  // Closed until PUBLIC has lost its right to connect, which a new database grants by default.
  await sql`create database ${name} ${template} is_template false allow_connections false`.execute(cluster);
  await sql`
    set local synchronous_commit = off;
    revoke all on database ${name} from public;
    ${role ? sql`grant connect, temporary on database ${name} to ${role};` : sql``}
    comment on database ${name} is ${literal(mark)};
    alter database ${name} allow_connections true`.execute(cluster);
}

/**
 * What an empty database is made of. A cluster may have another encoding, such as SQL_ASCII where initdb found no language: it would count bytes,
 * and take no names beyond it. One whose locale knows no UTF-8 refuses.
 */
export const EMPTY = "template template0 encoding 'UTF8'";

/** Says of a database that it is finished, in the transaction by which it becomes valid. */
export async function markAsFinished(cluster: ClusterSession, physicalName: string): Promise<void> {
  const mark = literal(await ownershipMark(cluster));
  await sql`comment on database ${identifier(physicalName)} is ${mark}`.execute(cluster);
}

/** Drops a database with all its sessions, and its role, if they exist. @param waiting as {@link dropRole} takes it */
export async function dropDatabaseAndRole(
  cluster: ClusterSession,
  database: { physicalName: string; roleName: string },
  waiting: readonly string[] = [],
): Promise<void> {
  await dropDatabase(cluster, database.physicalName);
  await dropRole(cluster, database.roleName, waiting);
}

/** Drops a database with all its sessions, even an invalid one, if it exists. */
export async function dropDatabase(cluster: ClusterSession, physicalName: string): Promise<void> {
  await sql`drop database if exists ${identifier(physicalName)} with (force)`.execute(cluster);
}

/**
 * Drops a database's own role, which owns nothing, with its reader and its logins, if they exist. A database that a restore has
 * replaced may still wait to be dropped and grant them rights: it is dropped first.
 * @param waiting physical names of the databases that wait to be dropped
 */
export async function dropRole(
  cluster: ClusterSession,
  roleName: string,
  waiting: readonly string[] = [],
): Promise<void> {
  for (const name of await listDatabasesWithRights(cluster, roleName)) {
    if (waiting.includes(name)) await dropDatabase(cluster, name);
  }
  const logins = await listLoginRoles(cluster, roleName);
  // Their sessions may be in a database that every role can connect to, such as "postgres".
  for (const name of [...logins, readerName(roleName), roleName]) await dropLoginRole(cluster, name);
}

/** The databases in which a database's own role or its reader owns something or has rights: its own, and clones of it. */
export async function listDatabasesWithRights(cluster: ClusterSession, roleName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name from pg_shdepend s
    join pg_database d on d.oid = s.dbid
    join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
    where r.rolname in (${roleName}, ${readerName(roleName)})`.execute(cluster);
  return rows.map(({ name }) => name);
}

/** Gives an existing database a login role of its own, or its existing role a new password, and allows connections. */
export async function adoptDatabase(
  cluster: ClusterSession,
  database: TenantRole & { physicalName: string },
): Promise<void> {
  const name = identifier(database.physicalName);
  const role = identifier(database.roleName);
  await makeTenantRole(cluster, database);
  await sql`
    revoke all on database ${name} from public;
    grant connect, temporary on database ${name} to ${role};
    alter database ${name} allow_connections true`.execute(cluster);
}

/** The major version of a server. */
export async function readServerVersion(cluster: ClusterSession): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int / 10000 as version`.execute(cluster);
  return rows[0]?.version ?? 0;
}

/** Whether PostgreSQL has a database. */
export async function databaseExists(cluster: ClusterSession, physicalName: string): Promise<boolean> {
  const { rows } = await sql`select from pg_database where datname = ${physicalName}`.execute(cluster);
  return rows.length > 0;
}

/** Whether PostgreSQL has a database and has not begun to drop it. */
export async function isIntact(cluster: ClusterSession, { physicalName }: { physicalName: string }): Promise<boolean> {
  const { rows } = await sql`
    select from pg_database where datname = ${physicalName} and datconnlimit <> -2`.execute(cluster);
  return rows.length > 0;
}

/** Those of some databases that PostgreSQL has and has not begun to drop, by their physical names. */
export async function listIntact(cluster: ClusterSession, physicalNames: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database where datname = any(${physicalNames}) and datconnlimit <> -2`.execute(
    cluster,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Bytes of a database on disk; 0 if it does not exist. */
export async function databaseSize(cluster: ClusterSession, physicalName: string): Promise<number> {
  const { rows } = await sql<{ size: string }>`
    select pg_database_size(oid) as size from pg_database where datname = ${physicalName}`.execute(cluster);
  return Number(rows[0]?.size ?? 0);
}

/** Bytes on disk of those databases that exist, by their names. */
export async function databaseSizes(
  cluster: ClusterSession,
  physicalNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    select datname as name, pg_database_size(oid) as bytes from pg_database
    where datname = any(${physicalNames}) and datconnlimit <> -2`.execute(cluster);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** What PostgreSQL should let the programs of a database do. */
export interface WantedAccess {
  physicalName: string;
  roleName: string;
  access: DatabaseAccess;
}

/** Those databases to which PostgreSQL blocks connections, or whose role can log in though it should not, or the other way round. */
export async function listWronglyClosed<Row extends WantedAccess>(
  cluster: ClusterSession,
  databases: readonly Row[],
): Promise<Row[]> {
  const { rows } = await sql<{ name: string }>`
    select d.datname as name
    from unnest(${databases.map(({ physicalName }) => physicalName)}::text[],
      ${databases.map(({ roleName }) => roleName)}::text[],
      ${databases.map(({ access }) => access !== 'closed')}::boolean[]) as r (physical_name, role_name, can_login)
    join pg_database d on d.datname = r.physical_name
    left join pg_roles a on a.rolname = r.role_name
    where datconnlimit <> -2 and (not datallowconn or a.rolcanlogin <> can_login)`.execute(cluster);
  const closed = new Set(rows.map(({ name }) => name));
  return databases.filter(({ physicalName }) => closed.has(physicalName));
}
