import { sql } from 'kysely';
import { databaseExists } from './cluster.ts';
import { dropLoginRole, listLoginRoles } from './login-roles.ts';
import { identifier, readerName } from './names.ts';
import { renameDatabase } from './restored-database.ts';
import { changeRoles } from './role-changes.ts';
import { type ClusterSession, inClusterTransaction } from './session.ts';

/** What a server calls a database and its role. */
export interface Names {
  physicalName: string;
  roleName: string;
}

/**
 * Gives a database, its role and its reader other names, in one transaction. Its logins are dropped: they are members of a role of that
 * name, and stay with it. What has the new name already stays as it is. The database must have no sessions.
 */
export async function renameWithRoles(cluster: ClusterSession, from: Names, to: Names): Promise<void> {
  await inClusterTransaction(cluster, async (trx) => {
    for (const login of await listLoginRoles(trx, from.roleName)) await dropLoginRole(trx, login);
    await renameRoles(trx, from, to);
    if ((await databaseExists(trx, from.physicalName)) && !(await databaseExists(trx, to.physicalName)))
      await renameDatabase(trx, from.physicalName, to.physicalName);
  });
}

/** Gives a database's role and its reader other names, if they exist and the names are free. */
export async function renameRoles(cluster: ClusterSession, from: Names, to: Names): Promise<void> {
  await renameRole(cluster, from.roleName, to.roleName);
  await renameRole(cluster, readerName(from.roleName), readerName(to.roleName));
}

async function renameRole(cluster: ClusterSession, from: string, to: string): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select rolname as name from pg_roles where rolname in (${from}, ${to})`.execute(cluster);
  if (rows.length !== 1 || rows[0]?.name !== from) return;
  await changeRoles(cluster, [from], sql`alter role ${identifier(from)} rename to ${identifier(to)}`);
}
