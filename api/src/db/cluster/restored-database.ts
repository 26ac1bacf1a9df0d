import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { hasReader, makeReader } from './login-roles.ts';
import { identifier, quoteIdentifier, readerName } from './names.ts';
import type { ClusterSession } from './session.ts';
import { makeTenantRole, type TenantRole } from './tenant-role.ts';

/** Lets a role connect to a database, and its reader, if it has one. */
export async function grantConnect(cluster: ClusterSession, physicalName: string, roleName: string): Promise<void> {
  await sql`grant connect, temporary on database ${identifier(physicalName)} to ${identifier(roleName)}`.execute(
    cluster,
  );
  if (await hasReader(cluster, roleName)) await makeReader(cluster, { physicalName, roleName });
}

/** Revokes what {@link grantConnect} gave. */
export async function revokeConnect(cluster: ClusterSession, physicalName: string, roleName: string): Promise<void> {
  const readers = (await hasReader(cluster, roleName)) ? [readerName(roleName)] : [];
  const roles = sql.raw([roleName, ...readers].map(quoteIdentifier).join(', '));
  await sql`revoke all on database ${identifier(physicalName)} from ${roles}`.execute(cluster);
}

/** Renames a database in PostgreSQL; it must have no sessions. */
export async function renameDatabase(cluster: ClusterSession, from: string, to: string): Promise<void> {
  await sql`alter database ${identifier(from)} rename to ${identifier(to)}`.execute(cluster);
}

/**
 * Drops the role of a database after it has run SQL from outside, with what that SQL changed of it: password, settings, members.
 * @throws if the SQL left anything else with the role
 */
export async function dropUsedRole(cluster: ClusterSession, physicalName: string, roleName: string): Promise<void> {
  await revokeConnect(cluster, physicalName, roleName);
  await sql`drop role ${identifier(roleName)}`.execute(cluster);
}

/**
 * Keeps messages of a role's sessions out of PostgreSQL's log, as SQL from outside could fill the disk with them. Only a superuser
 * may set this; without one, somebody else runs the server and its log.
 * @see https://www.postgresql.org/docs/15/runtime-config-logging.html
 */
export async function muteLogOfRole(cluster: ClusterSession, roleName: string): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select rolsuper as may from pg_roles where rolname = current_user`.execute(cluster);
  if (!rows[0]?.may) return;
  const role = identifier(roleName);
  await sql`
    alter role ${role} set log_min_messages = fatal;
    alter role ${role} set log_min_error_statement = panic`.execute(cluster);
}

/** Spares a role that loads rows the wait for the disk after each table: the commit by which its database becomes valid waits for all before it. */
export async function relaxCommitsOfRole(cluster: ClusterSession, roleName: string): Promise<void> {
  await sql`alter role ${identifier(roleName)} set synchronous_commit = off`.execute(cluster);
}

/** Makes the role of an existing database. */
export async function createRole(cluster: ClusterSession, role: TenantRole & { physicalName: string }): Promise<void> {
  await makeTenantRole(cluster, role);
  await grantConnect(cluster, role.physicalName, role.roleName);
}

/** Swaps the names of two databases: who connects next gets the other one. Neither may have sessions. */
export async function swapDatabases(cluster: ClusterSession, one: string, two: string): Promise<void> {
  const between = `swap_${randomUUID().replaceAll('-', '')}`;
  const moves: [string, string][] = [
    [one, between],
    [two, one],
    [between, two],
  ];
  for (const [from, to] of moves) {
    await renameDatabase(cluster, from, to);
  }
}
