import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { commitAsynchronously, createDatabase } from '../../db/cluster/cluster.ts';
import { withClusterLock, withDatabaseLock } from '../../db/cluster/database-lock.ts';
import { asCluster, atHome, type ClusterSession, isAtHome, type Sessions } from '../../db/cluster/session.ts';
import { giveRightsInCopy } from '../../db/cluster/tenant-rights.ts';
import { makeTenantRole } from '../../db/cluster/tenant-role.ts';
import { HOME_SERVER, onClusterSession } from '../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { dropAndUnregister, unregister } from './database-dropping.ts';
import { refuseDuplicateName } from './database-names.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { getDatabaseById, loginRoleOf, registerDatabase } from './databases.service.ts';
import { makeReady } from './ready-database.ts';

interface NewTenantDatabase {
  name: string;
  /** null: `finish` gives the database to a tenant that exists already, which undoing must not delete. */
  tenantId: string | null;
  /** The server that it is to live on; absent: the active one with the most room. */
  serverId?: string | undefined;
  /** Inserts the tenant, in the transaction that registers its database. */
  register(trx: Trx): Promise<void>;
  /** Appends the audit entry, in the transaction that makes the database ready. */
  finish(trx: Trx, databaseId: string): Promise<void>;
  /** Deletes the rows that `register` inserted. */
  unregister(trx: Trx): Promise<void>;
}

/**
 * Makes an empty database of the newest schema for a tenant, all or nothing. The registry's row is written first. A failure undoes
 * everything; after a crash, settling does (database-settling.ts).
 * @throws AppError reserved-name, already-exists; conflict, database-away of its server
 */
export async function createDatabaseOfTenant(context: Context, database: NewTenantDatabase): Promise<void> {
  const id = randomUUID();
  // Locked before the row is visible, so settleDatabases leaves a creation alone that is still running.
  await context.utility
    .connection()
    .execute((connection) =>
      withDatabaseLock(atHome(connection), id, async () => {
        const row = await registerOfTenant(context, connection, id, database);
        const make = (sessions: Sessions) => makeDatabaseOfTenant(context, sessions, row, database);
        await onServerOfRow(context, connection, row, make, () => unregister(connection, id, database.unregister));
      }),
    )
    .catch(refuseDuplicateName);
}

/** Writes the rows of a tenant and its database; on the control database's own server, its role is made with them. */
function registerOfTenant(
  context: Context,
  connection: Platform,
  id: string,
  { name, tenantId, serverId, register }: NewTenantDatabase,
): Promise<DatabaseRow> {
  return connection.transaction().execute(async (trx) => {
    await register(trx);
    const schemaVersion = newestTenantSchemaVersion();
    const row = { id, name, tenantId, copiedFrom: null, schemaVersion, serverId, isTenants: true };
    await registerDatabase(context, trx, row);
    const registered = await getDatabaseById(trx, id);
    if (registered.serverId === HOME_SERVER) {
      // CREATE DATABASE comes next, and waits for the disk. That of another server would not wait for this one's.
      await commitAsynchronously(trx);
      await makeTenantRole(asCluster(trx), loginRoleOf(context, registered));
    }
    return registered;
  });
}

async function makeDatabaseOfTenant(
  context: Context,
  sessions: Sessions,
  row: DatabaseRow,
  { finish, unregister }: NewTenantDatabase,
): Promise<void> {
  const { cluster } = sessions;
  try {
    const template = await (await context.clusters.of(row.serverId)).template();
    if (!isAtHome(sessions)) await makeTenantRole(cluster, loginRoleOf(context, row));
    await createDatabase(cluster, { ...row, template, isComplete: true });
    await context.tenants.with(row, (client) => giveRightsInCopy(client, row.roleName, template), { unlimited: true });
    await makeReady(context, sessions, { ...row, isComplete: true }, (trx) => finish(trx, row.id));
  } catch (error) {
    await dropAndUnregister(sessions, row, unregister);
    throw error;
  }
}

/**
 * Runs `work` with a session on the server of a new database, whose lock it takes there too.
 * @param undo what is done where there is no such session: nothing has been made yet
 */
async function onServerOfRow(
  context: Context,
  connection: Platform,
  row: DatabaseRow,
  work: (sessions: Sessions) => Promise<void>,
  undo: () => Promise<void>,
): Promise<void> {
  if (row.serverId === HOME_SERVER) return work(atHome(connection));
  let hasBegun = false;
  const begin = async (cluster: ClusterSession) => {
    hasBegun = true;
    await withClusterLock(cluster, row.id, () => work({ connection, cluster }));
  };
  try {
    await onClusterSession(await context.clusters.of(row.serverId), begin);
  } catch (error) {
    if (!hasBegun) await undo();
    throw error;
  }
}
