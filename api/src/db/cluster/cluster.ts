import { sql } from 'kysely';
import pg from 'pg';
import type { Platform } from '../platform.ts';
import { quoteIdentifier } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { makeTenantRole, type TenantRole } from './tenant-role.ts';

/** How long sessions of a database may take to leave by themselves before a copy ends them, in milliseconds. */
const GRACE = 2_000;
const POLL = 50;

/** The key of the lock on one database (registry id). */
const lockKey = (databaseId: string) => sql`hashtextextended(${`database:${databaseId}`}, 0)`;

/**
 * Takes the lock on one database for as long as `work` runs. It is held by the very PostgreSQL session that changes the
 * cluster: a CREATE DATABASE that goes on after its server process was killed keeps the lock until it ends.
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

/** As {@link withDatabaseLock}, but leaves the work undone where somebody holds the lock. */
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

/**
 * Makes a database with a login role of its own that nobody else can connect with or to (DECISIONS §6).
 * Utility commands run outside transactions; the caller undoes with {@link dropDatabaseAndRole} when one fails.
 * @param template physical name of the database to copy, which must have no sessions
 */
export async function createDatabaseAndRole(
  connection: Platform,
  database: TenantRole & { physicalName: string; template: string },
): Promise<void> {
  const name = sql.raw(quoteIdentifier(database.physicalName));
  const role = sql.raw(quoteIdentifier(database.roleName));
  const template = sql.raw(quoteIdentifier(database.template));
  const mark = sql.raw(pg.escapeLiteral(await ownershipMark(connection)));
  await makeTenantRole(connection, database);
  // Closed until PUBLIC has lost its right to connect, which a new database grants by default.
  await sql`create database ${name} template ${template} is_template false allow_connections false`.execute(connection);
  await sql`
    revoke all on database ${name} from public;
    grant connect, temporary on database ${name} to ${role};
    comment on database ${name} is ${mark};
    alter database ${name} allow_connections true`.execute(connection);
}

/** Removes a database with all its sessions, and its role; what is gone already is no error. */
export async function dropDatabaseAndRole(
  connection: Platform,
  database: { physicalName: string; roleName: string },
): Promise<void> {
  await dropDatabase(connection, database.physicalName);
  await dropRole(connection, database.roleName);
}

/** Removes a database with all its sessions, also an invalid one; what is gone already is no error. */
export async function dropDatabase(connection: Platform, physicalName: string): Promise<void> {
  await sql`drop database if exists ${sql.raw(quoteIdentifier(physicalName))} with (force)`.execute(connection);
}

/**
 * Removes a login role that owns nothing; what is gone already is no error. A database that a restore has replaced, and that waits to be
 * dropped, still grants it rights: it is dropped first.
 */
export async function dropRole(connection: Platform, roleName: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name
    from pg_shdepend s
    join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
    join pg_database d on d.oid = s.dbid
    join databases replaced on replaced.physical_name = d.datname and replaced.state = 'deleting'
    where r.rolname = ${roleName}`.execute(connection);
  for (const { name } of rows) await dropDatabase(connection, name);
  await sql`drop role if exists ${sql.raw(quoteIdentifier(roleName))}`.execute(connection);
}

/**
 * Other databases in which a role owns something, or has rights: clones have what the role of their source had. Those that are dropped with
 * the role ({@link dropRole}) are left out.
 */
export async function listPossessions(connection: Platform, home: string, roleName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct d.datname as name from pg_shdepend s
    join pg_database d on d.oid = s.dbid
    join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
    where r.rolname = ${roleName} and d.datname <> ${home}
      and not exists (select from databases where physical_name = d.datname and state = 'deleting')`.execute(
    connection,
  );
  return rows.map(({ name }) => name);
}

/** Gives a database that is there a login role of its own, or the one that there is a new password, and opens it. */
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

/** Lets sessions into a database, or keeps new ones out. */
export async function allowConnections(connection: Platform, physicalName: string, allowed: boolean): Promise<void> {
  const name = sql.raw(quoteIdentifier(physicalName));
  await sql`alter database ${name} allow_connections ${sql.raw(String(allowed))}`.execute(connection);
}

/** Whether PostgreSQL has a database. */
export async function databaseExists(connection: Platform, physicalName: string): Promise<boolean> {
  const { rows } = await sql`select from pg_database where datname = ${physicalName}`.execute(connection);
  return rows.length > 0;
}

/** Lets a role sign in, or keeps it out; its open sessions stay. One that is gone already is no error. */
export async function allowLogin(connection: Platform, roleName: string, allowed: boolean): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${roleName}`.execute(connection);
  if (rows.length === 0) return;
  const role = sql.raw(quoteIdentifier(roleName));
  await sql`alter role ${role} ${sql.raw(allowed ? 'login' : 'nologin')}`.execute(connection);
}

/** Ends every session of a database, and waits until they are gone, 5 seconds for each. */
export async function endSessions(connection: Platform, physicalName: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${physicalName}
  `.execute(connection);
}

/**
 * Runs `work` while nobody is connected to a database: new sessions are held off, open ones get a short grace and are then
 * ended. They are let back in afterwards; after a crash the reconciler does that.
 */
export async function withoutSessions<T>(
  connection: Platform,
  physicalName: string,
  work: () => Promise<T>,
): Promise<T> {
  await allowConnections(connection, physicalName, false);
  try {
    await waitForSessions(connection, physicalName);
    return await work();
  } finally {
    await allowConnections(connection, physicalName, true);
  }
}

async function waitForSessions(connection: Platform, physicalName: string): Promise<void> {
  const deadline = Date.now() + GRACE;
  while ((await countSessions(connection, physicalName)) > 0) {
    if (Date.now() > deadline) {
      await endSessions(connection, physicalName);
      return;
    }
    await sql`select pg_sleep(${POLL / 1000})`.execute(connection);
  }
}

// backend_type is null for the sessions of others where the administrator may not read all statistics.
/** How many clients are connected to a database right now. */
export async function countSessions(connection: Platform, physicalName: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = ${physicalName} and coalesce(backend_type, 'client backend') = 'client backend'
  `.execute(connection);
  return rows[0]?.count ?? 0;
}

/** Bytes that a database takes on disk; 0 for one that is not there. */
export async function databaseSize(connection: Platform, physicalName: string): Promise<number> {
  const { rows } = await sql<{ size: string }>`
    select pg_database_size(oid) as size from pg_database where datname = ${physicalName}`.execute(connection);
  return Number(rows[0]?.size ?? 0);
}
