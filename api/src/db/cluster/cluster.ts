import { sql } from 'kysely';
import pg from 'pg';
import type { Platform, Trx } from '../platform.ts';
import { dropLoginRole, listLoginRoles } from './login-roles.ts';
import { quoteIdentifier, readerName } from './names.ts';
import { ownershipMark, unfinishedMark } from './ownership-mark.ts';
import { makeTenantRole, type TenantRole } from './tenant-role.ts';

/** How long a copy waits for the sessions of a database to end before it ends them, in milliseconds. */
const GRACE = 2_000;
const POLL = 50;

/** The key of the lock on one database (registry id). */
const lockKey = (databaseId: string) => sql`hashtextextended(${`database:${databaseId}`}, 0)`;

/**
 * Takes the lock on one database for as long as `work` runs. The PostgreSQL session that changes the cluster holds it: a CREATE
 * DATABASE that goes on after its server process was killed keeps the lock until it ends.
 * @param connection one connection of the control database, not the pool
 */
export async function withDatabaseLock<T>(
  connection: Platform,
  databaseId: string,
  work: () => Promise<T>,
): Promise<T> {
  await sql`select pg_advisory_lock(${lockKey(databaseId)})`.execute(connection);
  return unlockAfter(connection, databaseId, work);
}

/** As {@link withDatabaseLock}, but skips the work if somebody else holds the lock. */
export async function ifDatabaseUnlocked(
  connection: Platform,
  databaseId: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_lock(${lockKey(databaseId)}) as locked`.execute(connection);
  if (rows[0]?.locked) await unlockAfter(connection, databaseId, work);
}

async function unlockAfter<T>(connection: Platform, databaseId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(${lockKey(databaseId)})`.execute(connection);
  }
}

/** Leaves it to a later commit to wait for the disk. What the transaction writes counts for nothing until that one has ended. */
export async function leaveFlushing(trx: Trx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}

/**
 * Makes a database with a login role of its own. No other role can connect to it, and its role to no other (DECISIONS §6). Utility
 * commands run outside of transactions: if one fails, the caller calls {@link dropDatabaseAndRole}.
 * @param template physical name of the database to copy, which must have no sessions
 */
export async function createDatabaseAndRole(
  connection: Platform,
  database: TenantRole & { physicalName: string; template: string },
): Promise<void> {
  await makeTenantRole(connection, database);
  await createDatabase(connection, database);
}

/**
 * Makes a database for a login role that exists. Its last commit waits for no disk: one that tells of the database has to follow.
 * @param database without a role, nobody but administrators can connect to it, and it counts as unfinished
 *   ({@link markAsFinished})
 */
export async function createDatabase(
  connection: Platform,
  database: { physicalName: string; roleName: string | null; template: string },
): Promise<void> {
  const name = sql.raw(quoteIdentifier(database.physicalName));
  const role = database.roleName === null ? null : sql.raw(quoteIdentifier(database.roleName));
  const template = sql.raw(quoteIdentifier(database.template));
  const mark = await (role ? ownershipMark : unfinishedMark)(connection);
  // Closed until PUBLIC has lost its right to connect, which a new database grants by default.
  await sql`create database ${name} template ${template} is_template false allow_connections false`.execute(connection);
  await sql`
    set local synchronous_commit = off;
    revoke all on database ${name} from public;
    ${role ? sql`grant connect, temporary on database ${name} to ${role};` : sql``}
    comment on database ${name} is ${sql.raw(pg.escapeLiteral(mark))};
    alter database ${name} allow_connections true`.execute(connection);
}

/** Says of a database that was made without a role that it is finished, in the transaction by which it becomes valid. */
export async function markAsFinished(trx: Trx, physicalName: string): Promise<void> {
  const mark = pg.escapeLiteral(await ownershipMark(trx));
  await sql`comment on database ${sql.raw(quoteIdentifier(physicalName))} is ${sql.raw(mark)}`.execute(trx);
}

/** Drops a database with all its sessions, and its role, if they exist. */
export async function dropDatabaseAndRole(
  connection: Platform,
  database: { physicalName: string; roleName: string },
): Promise<void> {
  await dropDatabase(connection, database.physicalName);
  await dropRole(connection, database.roleName);
}

/** Drops a database with all its sessions, even an invalid one, if it exists. */
export async function dropDatabase(connection: Platform, physicalName: string): Promise<void> {
  await sql`drop database if exists ${sql.raw(quoteIdentifier(physicalName))} with (force)`.execute(connection);
}

/**
 * Drops a database's own role, which owns nothing, with its reader and its logins, if they exist. A database that a restore has
 * replaced may still wait to be dropped and grant them rights: it is dropped first.
 */
export async function dropRole(connection: Platform, roleName: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name
    from pg_shdepend s
    join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
    join pg_database d on d.oid = s.dbid
    join databases replaced on replaced.physical_name = d.datname and replaced.state = 'deleting'
    where r.rolname in (${roleName}, ${readerName(roleName)})`.execute(connection);
  for (const { name } of rows) await dropDatabase(connection, name);
  for (const login of await listLoginRoles(connection, roleName)) await dropLoginRole(connection, login);
  for (const name of [readerName(roleName), roleName]) {
    await sql`drop role if exists ${sql.raw(quoteIdentifier(name))}`.execute(connection);
  }
}

/**
 * Other databases in which a database's own role or its reader owns something or has rights, as in clones of that database. Databases
 * that {@link dropRole} drops are left out.
 */
export async function listDatabasesOfRole(connection: Platform, home: string, roleName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name from pg_shdepend s
    join pg_database d on d.oid = s.dbid
    join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
    where r.rolname in (${roleName}, ${readerName(roleName)}) and d.datname <> ${home}
      and not exists (select from databases where physical_name = d.datname and state = 'deleting')`.execute(
    connection,
  );
  return rows.map(({ name }) => name);
}

/** Gives an existing database a login role of its own, or its existing role a new password, and allows connections. */
export async function adoptDatabase(
  connection: Platform,
  database: TenantRole & { physicalName: string },
): Promise<void> {
  const name = sql.raw(quoteIdentifier(database.physicalName));
  const role = sql.raw(quoteIdentifier(database.roleName));
  await makeTenantRole(connection, database);
  await sql`
    revoke all on database ${name} from public;
    grant connect, temporary on database ${name} to ${role};
    alter database ${name} allow_connections true`.execute(connection);
}

/** Allows or blocks new connections to a database. */
export async function allowConnections(connection: Platform, physicalName: string, allowed: boolean): Promise<void> {
  const name = sql.raw(quoteIdentifier(physicalName));
  await sql`alter database ${name} allow_connections ${sql.raw(String(allowed))}`.execute(connection);
}

/** Whether PostgreSQL has a database. */
export async function databaseExists(connection: Platform, physicalName: string): Promise<boolean> {
  const { rows } = await sql`select from pg_database where datname = ${physicalName}`.execute(connection);
  return rows.length > 0;
}

/** Allows or blocks new connections of a database's own role and of its logins, if it exists; open ones stay. */
export async function allowLogin(connection: Platform, roleName: string, allowed: boolean): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${roleName}`.execute(connection);
  if (rows.length === 0) return;
  const roles = [roleName, ...(await listLoginRoles(connection, roleName))];
  const statements = roles.map((name) => `alter role ${quoteIdentifier(name)} ${allowed ? 'login' : 'nologin'}`);
  await sql.raw(statements.join(';\n')).execute(connection);
}

/** Ends every session of a database, and waits up to 5 seconds for each to end. */
export async function endSessions(connection: Platform, physicalName: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${physicalName}
  `.execute(connection);
}

/** Blocks new connections to a database. Open ones have a short grace, then they are ended. */
export async function closeDatabase(connection: Platform, physicalName: string): Promise<void> {
  await allowConnections(connection, physicalName, false);
  const deadline = Date.now() + GRACE;
  while ((await countSessions(connection, physicalName)) > 0) {
    if (Date.now() > deadline) {
      await endSessions(connection, physicalName);
      return;
    }
    await sql`select pg_sleep(${POLL / 1000})`.execute(connection);
  }
}

/**
 * Runs `work` while nobody is connected to a database, which is closed meanwhile. Afterwards connections are allowed again; after a
 * crash, settling or the reconciler does that.
 */
export async function withoutSessions<T>(
  connection: Platform,
  physicalName: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await closeDatabase(connection, physicalName);
    return await work();
  } finally {
    await allowConnections(connection, physicalName, true);
  }
}

// backend_type is null for sessions of other roles if the administrator may not read all statistics.
/** How many clients are connected to a database right now. */
export async function countSessions(connection: Platform, physicalName: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = ${physicalName} and coalesce(backend_type, 'client backend') = 'client backend'
  `.execute(connection);
  return rows[0]?.count ?? 0;
}

/** Bytes of a database on disk; 0 if it does not exist. */
export async function databaseSize(connection: Platform, physicalName: string): Promise<number> {
  const { rows } = await sql<{ size: string }>`
    select pg_database_size(oid) as size from pg_database where datname = ${physicalName}`.execute(connection);
  return Number(rows[0]?.size ?? 0);
}
