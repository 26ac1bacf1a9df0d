import { sql } from 'kysely';
import { IS_IDLE } from './client-sessions.ts';
import { identifier, literal, readerName } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import { changeRoles } from './role-changes.ts';
import { scramVerifier } from './scram.ts';
import type { ClusterSession } from './session.ts';

/** How often a drain looks again, in milliseconds. */
const POLL = 50;

/** What every login of a database may use. */
export interface LoginLimits {
  connectionLimit: number;
  /** null: no limit of time. */
  statementTimeoutSeconds: number | null;
}

/** A role by which programs log in: a member of the role that has the rights. */
export interface LoginRole extends LoginLimits {
  roleName: string;
  password: string;
  /**
   * By what PostgreSQL verifies the password, as the registry has it; null: a new one is made. PgBouncer lets nobody in where the two differ, as they
   * would with another salt while a change is under way, or after one that did not come to the registry.
   */
  scramVerifier: string | null;
  /** Whose rights it has: a database's own role, or its reader. */
  memberOf: string;
  /** null: without end. */
  validUntil: Date | null;
  /** Whether it may log in now. */
  canLogin: boolean;
}

/** As PostgreSQL keeps it; null: no limit of time. */
export const statementTimeoutOf = ({
  statementTimeoutSeconds: seconds,
}: Pick<LoginLimits, 'statementTimeoutSeconds'>) => (seconds === null ? null : `${seconds}s`);

/** Makes a login, or sets an existing one right. @returns by what PostgreSQL verifies its password */
export async function makeLoginRole(connection: ClusterSession, login: LoginRole): Promise<string> {
  const role = identifier(login.roleName);
  const { rows } = await sql`select from pg_roles where rolname = ${login.roleName}`.execute(connection);
  const making = sql.raw(rows.length > 0 ? 'alter role' : 'create role');
  const mark = literal(await ownershipMark(connection));
  const limit = statementTimeoutOf(login);
  const timeout = limit === null ? 'default' : `'${limit}'`;
  const verifier = login.scramVerifier ?? scramVerifier(login.password);
  // What a session makes belongs to the role that stays (SET role), so that the login can be dropped. One query is one transaction.
  const change = sql`
    ${making} ${role} ${sql.raw(login.canLogin ? 'login' : 'nologin')} inherit password ${literal(verifier)}
      valid until ${literal(login.validUntil?.toISOString() ?? 'infinity')} connection limit ${sql.raw(String(login.connectionLimit))};
    grant ${identifier(login.memberOf)} to ${role};
    alter role ${role} set role = ${literal(login.memberOf)};
    alter role ${role} set statement_timeout to ${sql.raw(timeout)};
    comment on role ${role} is ${mark}`;
  await changeRoles(connection, [login.roleName, login.memberOf], change);
  return verifier;
}

/** Ends the sessions of a role, waiting up to 5 seconds for each. */
export async function endSessionsOfRole(connection: ClusterSession, roleName: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${roleName}`.execute(connection);
}

/** Ends the sessions of a role, and drops it, if it exists. */
export async function dropLoginRole(connection: ClusterSession, roleName: string): Promise<void> {
  await endSessionsOfRole(connection, roleName);
  await sql`drop role if exists ${identifier(roleName)}`.execute(connection);
}

/** Makes the role whose members may only read a database, if it does not exist. It has no rights on tables yet. */
export async function makeReader(
  connection: ClusterSession,
  { physicalName, roleName }: { physicalName: string; roleName: string },
): Promise<void> {
  const name = readerName(roleName);
  const mark = literal(await ownershipMark(connection));
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(connection);
  const create = rows.length > 0 ? sql`` : sql`create role ${identifier(name)} nologin;`;
  await sql`
    ${create}
    comment on role ${identifier(name)} is ${mark};
    grant connect on database ${identifier(physicalName)} to ${identifier(name)}`.execute(connection);
}

/** Whether a database has a role whose members may only read. */
export async function hasReader(connection: ClusterSession, roleName: string): Promise<boolean> {
  const { rows } = await sql`select from pg_roles where rolname = ${readerName(roleName)}`.execute(connection);
  return rows.length > 0;
}

/** The logins of a database's own role and of its reader: roles of this installation that are their members. */
export async function listLoginRoles(connection: ClusterSession, roleName: string): Promise<string[]> {
  const mark = await ownershipMark(connection);
  const { rows } = await sql<{ name: string }>`
    select distinct m.rolname as name
    from pg_auth_members a join pg_roles g on g.oid = a.roleid join pg_roles m on m.oid = a.member
    where g.rolname in (${roleName}, ${readerName(roleName)}) and shobj_description(m.oid, 'pg_authid') = ${mark}
    order by 1`.execute(connection);
  return rows.map(({ name }) => name);
}

/** A login as PostgreSQL has it. */
interface Member {
  roleName: string;
  /** The role whose rights it has. */
  memberOf: string;
  /** Whether it ends one day. */
  hasEnd: boolean;
  /** null: no limit of time. */
  statementTimeout: string | null;
}

/** The logins that this installation has made. */
export async function listMembers(connection: ClusterSession): Promise<Member[]> {
  const mark = await ownershipMark(connection);
  const { rows } = await sql<Member>`
    select m.rolname as "roleName", g.rolname as "memberOf", coalesce(m.rolvaliduntil < 'infinity', false) as "hasEnd",
      (select split_part(setting, '=', 2) from unnest(m.rolconfig) as setting
       where split_part(setting, '=', 1) = 'statement_timeout') as "statementTimeout"
    from pg_auth_members a join pg_roles g on g.oid = a.roleid join pg_roles m on m.oid = a.member
    where shobj_description(m.oid, 'pg_authid') = ${mark}`.execute(connection);
  return rows;
}

/** How many sessions each role has right now. */
export async function countSessionsOfRoles(
  connection: ClusterSession,
  roleNames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; sessions: number }>`
    select usename as name, count(*)::int as sessions from pg_stat_activity
    where usename = any(${roleNames}) group by usename`.execute(connection);
  return new Map(rows.map(({ name, sessions }) => [name, sessions]));
}

/**
 * Ends the sessions of roles: idle ones at once, others when what they do has ended, at the latest after a while. Where the administrator
 * does not see what they do, all have that while. One that does not end then was told to all the same: it does nothing further.
 * @param grace in milliseconds
 */
export async function drainRoles(
  connection: ClusterSession,
  roleNames: readonly string[],
  grace: number,
): Promise<void> {
  const deadline = Date.now() + grace;
  for (;;) {
    const isOver = Date.now() >= deadline;
    const { rows } = await sql`
      select (${sql.raw(IS_IDLE)} or ${isOver}) and pg_terminate_backend(pid, 5000) from pg_stat_activity
      where usename = any(${roleNames})`.execute(connection);
    if (isOver || rows.length === 0) return;
    await sql`select pg_sleep(${POLL / 1000})`.execute(connection);
  }
}
