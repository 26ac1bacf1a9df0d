import { sql } from 'kysely';
import { HAS_ROLE, IS_CLIENT } from './client-sessions.ts';
import { listLoginRoles } from './login-roles.ts';
import { identifier, quoteIdentifier } from './names.ts';
import { changeRoles } from './role-changes.ts';
import type { ClusterSession } from './session.ts';

/** How long a copy waits for the sessions of a database to end before it ends them, in milliseconds. */
const GRACE = 2_000;
const POLL = 50;

/** Allows or blocks new connections to a database. */
export async function allowConnections(cluster: ClusterSession, physicalName: string, allowed: boolean): Promise<void> {
  const name = identifier(physicalName);
  await sql`alter database ${name} allow_connections ${sql.raw(String(allowed))}`.execute(cluster);
}

/** Whether new connections to a database are allowed. */
export async function allowsConnections(cluster: ClusterSession, physicalName: string): Promise<boolean> {
  const { rows } = await sql`select from pg_database where datname = ${physicalName} and datallowconn`.execute(cluster);
  return rows.length > 0;
}

/** Allows or blocks new connections of a database's own role and of its logins, if it exists; open ones stay. */
export async function allowLogin(cluster: ClusterSession, roleName: string, allowed: boolean): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${roleName}`.execute(cluster);
  if (rows.length === 0) return;
  const roles = [roleName, ...(await listLoginRoles(cluster, roleName))];
  const statements = roles.map((name) => `alter role ${quoteIdentifier(name)} ${allowed ? 'login' : 'nologin'}`);
  await changeRoles(cluster, roles, sql.raw(statements.join(';\n')));
}

/** Ends every session of a role in a database, and waits up to 5 seconds for each to end. */
export async function endSessions(cluster: ClusterSession, physicalName: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${physicalName} and ${sql.raw(HAS_ROLE)}
  `.execute(cluster);
}

/** Blocks new connections to a database. Open ones have a short grace, then they are ended. */
export async function closeDatabase(cluster: ClusterSession, physicalName: string): Promise<void> {
  await allowConnections(cluster, physicalName, false);
  const deadline = Date.now() + GRACE;
  // Also those that read its changes: PostgreSQL neither copies nor renames it while they do.
  while ((await countSessions(cluster, physicalName, HAS_ROLE)) > 0) {
    if (Date.now() > deadline) {
      await endSessions(cluster, physicalName);
      return;
    }
    await sql`select pg_sleep(${POLL / 1000})`.execute(cluster);
  }
}

/**
 * Runs `work` while nobody is connected to a database, which is closed meanwhile. Afterwards connections are allowed again; after a
 * crash, settling or the reconciler does that.
 */
export async function withoutSessions<T>(
  cluster: ClusterSession,
  physicalName: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await closeDatabase(cluster, physicalName);
    return await work();
  } finally {
    await allowConnections(cluster, physicalName, true);
  }
}

/** How many clients are connected to a database right now. @param which other sessions */
export async function countSessions(
  cluster: ClusterSession,
  physicalName: string,
  which: typeof IS_CLIENT | typeof HAS_ROLE = IS_CLIENT,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = ${physicalName} and ${sql.raw(which)}
  `.execute(cluster);
  return rows[0]?.count ?? 0;
}
