import type { Context } from '../../context.ts';
import { dropDatabaseAndRole, listDatabasesWithRights } from '../../db/cluster/cluster.ts';
import { dropOwned } from '../../db/cluster/owned-objects.ts';
import type { Sessions } from '../../db/cluster/session.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { type DatabaseRow, deleteDatabase, listDeletingNames } from './databases.repository.ts';

/** Drops what a database's role owns in other databases: PostgreSQL would refuse to drop the role. */
export async function dropPossessions(
  context: Context,
  { connection, cluster }: Sessions,
  { serverId, physicalName, roleName }: Pick<DatabaseRow, 'serverId' | 'physicalName' | 'roleName'>,
): Promise<void> {
  const waiting = await listDeletingNames(connection, serverId);
  for (const name of await listDatabasesWithRights(cluster, roleName)) {
    if (name === physicalName || waiting.includes(name)) continue;
    const place = { serverId, physicalName: name };
    await context.tenants.with(place, (client) => dropOwned(client, roleName, physicalName), { unlimited: true });
  }
}

/** Drops a database with its role. Databases that it replaced, and that still wait to be dropped, go with it. */
export async function dropWithRole({ connection, cluster }: Sessions, row: DatabaseRow): Promise<void> {
  await dropDatabaseAndRole(cluster, row, await listDeletingNames(connection, row.serverId));
}

/** Drops a database with its role, then deletes its row and the rows that belong to it. Each step may have been done before. */
export async function dropAndUnregister(
  sessions: Sessions,
  row: DatabaseRow,
  deleteOthers: (trx: Trx) => Promise<void>,
): Promise<void> {
  await dropWithRole(sessions, row);
  await unregister(sessions.connection, row.id, deleteOthers);
}

/** Deletes the row of a database, and in the same transaction those that belong to it. */
export async function unregister(
  connection: Platform,
  id: string,
  deleteOthers: (trx: Trx) => Promise<void>,
): Promise<void> {
  await connection.transaction().execute(async (trx) => {
    await deleteDatabase(trx, id);
    await deleteOthers(trx);
  });
}
