import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Platform, Trx } from '../platform.ts';
import { quoteIdentifier } from './names.ts';
import { makeTenantRole, type TenantRole } from './tenant-role.ts';

const identifier = (name: string) => sql.raw(quoteIdentifier(name));

/** Lets a role connect to a database. */
export async function grantConnect(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await sql`grant connect, temporary on database ${identifier(physicalName)} to ${identifier(roleName)}`.execute(
    connection,
  );
}

/** Takes from a role what {@link grantConnect} gave. */
export async function revokeConnect(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await sql`revoke all on database ${identifier(physicalName)} from ${identifier(roleName)}`.execute(connection);
}

/** Gives a database without sessions another name in PostgreSQL. */
export async function renameDatabase(trx: Trx, from: string, to: string): Promise<void> {
  await sql`alter database ${identifier(from)} rename to ${identifier(to)}`.execute(trx);
}

/**
 * Removes the role of a database after it has run SQL from outside, with whatever it did to itself: password, settings, members.
 * @throws when it left anything else behind
 */
export async function dropUsedRole(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await revokeConnect(connection, physicalName, roleName);
  await sql`drop role ${identifier(roleName)}`.execute(connection);
}

/**
 * Keeps what a role's sessions say out of PostgreSQL's log: SQL from outside can say more than a disk holds. Only a superuser may; where
 * the server is somebody else's, its log is too.
 * @see https://www.postgresql.org/docs/15/runtime-config-logging.html
 */
export async function quietRole(connection: Platform, roleName: string): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select rolsuper as may from pg_roles where rolname = current_user`.execute(connection);
  if (!rows[0]?.may) return;
  const role = identifier(roleName);
  await sql`
    alter role ${role} set log_min_messages = fatal;
    alter role ${role} set log_min_error_statement = panic`.execute(connection);
}

/** Makes the role of a database that is there. */
export async function createRole(connection: Platform, role: TenantRole & { physicalName: string }): Promise<void> {
  await makeTenantRole(connection, role);
  await grantConnect(connection, role.physicalName, role.roleName);
}

/** Lets two databases take each other's name: whoever connects next gets the other one. Neither may have sessions. */
export async function swapDatabases(trx: Trx, one: string, two: string): Promise<void> {
  const between = `swap_${randomUUID().replaceAll('-', '')}`;
  const moves: [string, string][] = [
    [one, between],
    [two, one],
    [between, two],
  ];
  for (const [from, to] of moves) {
    await renameDatabase(trx, from, to);
  }
}
