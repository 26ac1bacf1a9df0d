import type { Kysely } from 'kysely';
import type { Platform, Trx } from '../platform.ts';

declare const onCluster: unique symbol;

/**
 * A pool, session or transaction on the PostgreSQL server where a tenant's database lives, in a database of the administrator's there.
 * It has none of the control database's tables, so the compiler refuses a statement that would look for them.
 */
export type ClusterSession = Kysely<Record<never, never>> & { readonly [onCluster]: true };

/** Where a database is: on which server, and PostgreSQL's name of it. */
export interface Place {
  serverId: string;
  physicalName: string;
}

/** The two sessions of one piece of work. On the control database's own server they are one. */
export interface Sessions {
  /** Of the control database. */
  connection: Platform;
  /** Of the server where the database lives. */
  cluster: ClusterSession;
}

/** The control database's own server, over a connection that is there already. */
export const asCluster = (connection: Platform | Kysely<Record<never, never>>): ClusterSession =>
  // The brand is no more than a note for the compiler.
  connection as unknown as ClusterSession;

/** Both, of the control database's own server. */
export const atHome = (connection: Platform): Sessions => ({ connection, cluster: asCluster(connection) });

/** Whether the server of the database is the control database's own. */
export const isAtHome = ({ connection, cluster }: Sessions): boolean => cluster === asCluster(connection);

/**
 * Changes the cluster and then the control database: in one transaction where one server has both. Elsewhere the cluster commits first,
 * and a crash before the second commit leaves a change that the next run must be able to repeat, or to take back.
 */
export async function changeBoth<T>(
  sessions: Sessions,
  onCluster: (cluster: ClusterSession) => Promise<void>,
  onRegistry: (trx: Trx) => Promise<T>,
): Promise<T> {
  const { connection, cluster } = sessions;
  if (isAtHome(sessions)) {
    return connection.transaction().execute(async (trx) => {
      await onCluster(asCluster(trx));
      return onRegistry(trx);
    });
  }
  await inClusterTransaction(cluster, onCluster);
  return connection.transaction().execute(onRegistry);
}

/**
 * Changes the control database and then the cluster: in one transaction where one server has both. Elsewhere a crash between the two
 * leaves a cluster that settling brings up to what the registry says.
 */
export async function changeRegistryFirst(
  sessions: Sessions,
  onRegistry: (trx: Trx) => Promise<void>,
  onCluster: (cluster: ClusterSession) => Promise<void>,
): Promise<void> {
  const { connection, cluster } = sessions;
  const isHome = isAtHome(sessions);
  await connection.transaction().execute(async (trx) => {
    if (isHome) await onCluster(asCluster(trx));
    await onRegistry(trx);
  });
  if (!isHome) await onCluster(cluster);
}

/** Runs `work` in a transaction of the cluster. */
export const inClusterTransaction = <T>(
  cluster: ClusterSession,
  work: (trx: ClusterSession) => Promise<T>,
): Promise<T> => cluster.transaction().execute((trx) => work(asCluster(trx)));
