import type { Context } from '../../context.ts';
import { allowConnections } from '../../db/cluster/database-sessions.ts';
import {
  endReplication,
  listFollowing,
  listSlots,
  replicationName,
  unpublish,
  unsubscribe,
} from '../../db/cluster/replication.ts';
import type { ClusterSession } from '../../db/cluster/session.ts';
import { AppError } from '../../errors.ts';
import { inWords } from '../../wording.ts';
import type { DatabaseRow } from './databases.repository.ts';

/**
 * Refuses to give a database other rows, or another server, while somebody reads its changes: the slot would stay with the old rows, and keep the
 * write-ahead log of the whole server until they are dropped.
 * @throws AppError conflict
 */
export async function refuseSlots({ clusters }: Pick<Context, 'clusters'>, row: DatabaseRow): Promise<void> {
  const slots = await listSlots((await clusters.of(row.serverId)).platform, row.physicalName);
  if (slots.length === 0) return;
  throw new AppError('conflict', {
    message: `The changes of ${row.name} are read by the replication slot ${inWords(slots)}, which would stay with its old rows. Please drop it first.`,
  });
}

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
  await endReplication(cluster, operationId);
  await context.tenants.with(row, (client) => unpublish(client, replicationName(operationId)), { unlimited: true });
}
