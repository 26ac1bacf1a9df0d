import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { ownershipMark, TENANT_GROUP } from './cluster.ts';
import { quoteIdentifier } from './names.ts';
import type { Platform, PlatformTables } from './platform.ts';
import { scramVerifier } from './scram.ts';

const identifier = (name: string) => sql.raw(quoteIdentifier(name));

/** Lets a role connect to a database. */
export async function letIn(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await sql`grant connect, temporary on database ${identifier(physicalName)} to ${identifier(roleName)}`.execute(
    connection,
  );
}

/** Takes from a role what {@link letIn} gave. */
export async function shutOut(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await sql`revoke all on database ${identifier(physicalName)} from ${identifier(roleName)}`.execute(connection);
}

/** Gives a database without sessions another name in PostgreSQL. */
export async function renameDatabase(trx: Transaction<PlatformTables>, from: string, to: string): Promise<void> {
  await sql`alter database ${identifier(from)} rename to ${identifier(to)}`.execute(trx);
}

/**
 * Removes the role of a database after it has run SQL from outside, with whatever it did to itself: password, settings, members.
 * @throws when it left anything else behind
 */
export async function dropUsedRole(connection: Platform, physicalName: string, roleName: string): Promise<void> {
  await shutOut(connection, physicalName, roleName);
  await sql`drop role ${identifier(roleName)}`.execute(connection);
}

/** Makes the role of a database that is there. */
export async function createRole(
  connection: Platform,
  { physicalName, roleName, password }: { physicalName: string; roleName: string; password: string },
): Promise<void> {
  const role = identifier(roleName);
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(password)));
  const mark = sql.raw(pg.escapeLiteral(await ownershipMark(connection)));
  await sql`
    create role ${role} login password ${verifier} in role ${sql.raw(TENANT_GROUP)};
    comment on role ${role} is ${mark}`.execute(connection);
  await letIn(connection, physicalName, roleName);
}

/** Lets two databases take each other's name: whoever connects next gets the other one. Neither may have sessions. */
export async function swapDatabases(trx: Transaction<PlatformTables>, one: string, two: string): Promise<void> {
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
