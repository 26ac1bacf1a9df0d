import { asCluster } from '../db/cluster/session.ts';
import { HOME_SERVER, onClusterSession } from '../db/clusters.ts';
import type { Run } from './operation-kind.ts';
import { withOperationLock } from './runs.repository.ts';

/** A server that an operation works on, and its session there. Cancelling finds that session by the server. */
export type Further = Pick<Run, 'server' | 'cluster'>;

/**
 * Runs `work` with a session on a server that may be another one than that of the operation's database. It holds the operation's lock there, so
 * nothing goes on there that a killed run has begun.
 */
export async function onFurtherServer<T>(
  run: Run,
  serverId: string,
  work: (further: Further) => Promise<T>,
): Promise<T> {
  const { context, connection, operationId } = run;
  if (serverId === run.server.id) return work(run);
  const server = await context.clusters.of(serverId);
  if (serverId === HOME_SERVER) return work({ server, cluster: asCluster(connection) });
  return onClusterSession(server, (cluster) =>
    withOperationLock(cluster, operationId, () => work({ server, cluster })),
  );
}
