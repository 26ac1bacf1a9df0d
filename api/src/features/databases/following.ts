import type { Context } from '../../context.ts';
import { allowConnections } from '../../db/cluster/database-sessions.ts';
import {
  dropReplicationRole,
  dropSlot,
  listFollowing,
  replicationName,
  unpublish,
  unsubscribe,
} from '../../db/cluster/replication.ts';
import type { ClusterSession } from '../../db/cluster/session.ts';
import type { DatabaseRow } from './databases.repository.ts';

/** Ends that databases of a server follow others: PostgreSQL would drop none of them. */
export async function endFollowing(
  context: Context,
  cluster: ClusterSession,
  serverId: string,
  physicalNames: readonly string[],
): Promise<void> {
  for (const physicalName of await listFollowing(cluster, physicalNames)) {
    await allowConnections(cluster, physicalName, true);
    await context.tenants.with({ serverId, physicalName }, unsubscribe, { unlimited: true });
  }
}

/** Ends that an operation's copy reads the changes of an open database: drops slot, role and publication, if they exist. */
export async function endPublishing(
  context: Context,
  cluster: ClusterSession,
  row: DatabaseRow,
  operationId: string,
): Promise<void> {
  const name = replicationName(operationId);
  await dropSlot(cluster, name);
  await dropReplicationRole(cluster, name);
  await context.tenants.with(row, (client) => unpublish(client, name), { unlimited: true });
}
