import { databaseExists, listDatabasesWithRights } from '../../db/cluster/cluster.ts';
import { allowConnections, allowLogin, allowsConnections, closeDatabase } from '../../db/cluster/database-sessions.ts';
import { dropOwned } from '../../db/cluster/owned-objects.ts';
import { renameRoles, renameWithRoles } from '../../db/cluster/renaming.ts';
import { grantConnect } from '../../db/cluster/restored-database.ts';
import { asCluster, isAtHome } from '../../db/cluster/session.ts';
import { makeTenantRole } from '../../db/cluster/tenant-role.ts';
import type { Trx } from '../../db/platform.ts';
import type { Further } from '../../operations/further-server.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { type DatabaseRow, setServer } from './databases.repository.ts';
import { loginRoleOf, reopenUnclaimed } from './databases.service.ts';
import { applyLogins } from './logins/logins.service.ts';

/**
 * Two databases on two servers that change places: one that keeps its id, names, role and logins, and one that has its rows, or had them. The
 * run's own server is that of the first.
 */
export interface Exchanged {
  target: DatabaseRow;
  other: DatabaseRow;
  /** Where the other one is. */
  further: Further;
}

/**
 * Makes the role of a database on the server where it is to live, and opens what is to take its place there to it, though nobody can log in as
 * the role yet.
 */
export async function prepareExchange(run: Run, { target, other, further }: Exchanged): Promise<void> {
  const { context } = run;
  const { cluster } = further;
  await renameRoles(cluster, other, target);
  await makeTenantRole(cluster, { ...loginRoleOf(context, target), canLogin: false });
  await grantConnect(cluster, other.physicalName, target.roleName);
  await allowConnections(cluster, other.physicalName, true);
  await leaveKeptRows(run, target);
}

/**
 * Takes the rights of a database's role, which goes to another server, in the kept rows of it on this one: without that it could never be
 * dropped here. What is put back gets its rights anew.
 */
async function leaveKeptRows(
  { context, cluster }: Run,
  { serverId, physicalName, roleName }: DatabaseRow,
): Promise<void> {
  for (const name of await listDatabasesWithRights(cluster, roleName)) {
    if (name === physicalName) continue;
    const isClosed = !(await allowsConnections(cluster, name));
    const place = { serverId, physicalName: name };
    try {
      if (isClosed) await allowConnections(cluster, name, true);
      await context.tenants.with(place, (client) => dropOwned(client, roleName, physicalName), { unlimited: true });
    } finally {
      if (isClosed) await closeDatabase(cluster, name);
    }
  }
}

/**
 * Exchanges the servers of two databases, of which the target is closed. Their names in PostgreSQL go with the rows of the registry: each server has the one
 * name until its commit, and the other one from then on. Nobody gets in before the registry has followed, so until then
 * {@link takeBackExchange} undoes it without losing a row (decision 076).
 * @param onRegistry ends the operation, in the transaction that changes the registry
 */
export async function exchangeServers(
  run: Run,
  { target, other, further }: Exchanged,
  onRegistry: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { context, connection, cluster } = run;
  await allowLogin(cluster, target.roleName, false);
  await closeDatabase(further.cluster, other.physicalName);
  await renameWithRoles(further.cluster, other, target);
  await renameWithRoles(cluster, target, other);
  await connection.transaction().execute(async (trx) => {
    // Where the other server is the home one, its session is that of this transaction.
    const fresh = isAtHome({ connection, cluster: further.cluster }) ? asCluster(trx) : further.cluster;
    // The verifiers that they note count from this commit on.
    await applyLogins(context, { connection: trx, cluster: fresh }, target);
    await setServer(trx, target.id, other.serverId);
    await setServer(trx, other.id, target.serverId);
    await onRegistry(trx);
  });
  // After a crash, settling does it.
  await reopenUnclaimed(context, target.id);
}

/**
 * Takes an exchange back, of which the registry does not know, on the server of the target. The caller opens it.
 */
export async function takeBackTarget(
  { context, connection, cluster }: Run,
  { target, other }: Omit<Exchanged, 'further'>,
): Promise<void> {
  // Only an exchange gives a database this name on this server.
  const isRenamed =
    (await databaseExists(cluster, other.physicalName)) && !(await databaseExists(cluster, target.physicalName));
  if (!isRenamed) return;
  await renameWithRoles(cluster, other, target);
  await applyLogins(context, { connection, cluster }, target);
}

/** The same on the server of the other one, which is closed then. */
export async function takeBackOther({
  target,
  other,
  further: { cluster },
}: Pick<Exchanged, 'target' | 'other'> & { further: Pick<Further, 'cluster'> }): Promise<void> {
  for (const { physicalName } of [target, other])
    if (await databaseExists(cluster, physicalName)) await closeDatabase(cluster, physicalName);
  await renameWithRoles(cluster, target, other);
}
