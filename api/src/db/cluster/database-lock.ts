import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import { unlessUnderWay } from './advisory-lock.ts';
import { asCluster, type ClusterSession, isAtHome, type Sessions } from './session.ts';

/** What the lock on one database is of. @param databaseId in the registry */
const lockOf = (databaseId: string) => `database:${databaseId}`;

/**
 * Takes the lock on one database for as long as `work` runs. The PostgreSQL session that changes the cluster holds it: a CREATE
 * DATABASE that goes on after its server process was killed keeps the lock until it ends. On another server than the control
 * database's each of the two sessions holds one.
 */
export function withDatabaseLock<T>(sessions: Sessions, databaseId: string, work: () => Promise<T>): Promise<T> {
  const { connection, cluster } = sessions;
  const onCluster = isAtHome(sessions) ? work : () => withClusterLock(cluster, databaseId, work);
  return withClusterLock(asCluster(connection), databaseId, onCluster);
}

/** The part of {@link withDatabaseLock} on another server than the control database's. */
export async function withClusterLock<T>(
  cluster: ClusterSession,
  databaseId: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = sql`hashtextextended(${lockOf(databaseId)}, 0)`;
  await sql`select pg_advisory_lock(${key})`.execute(cluster);
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(${key})`.execute(cluster);
  }
}

/** As {@link withDatabaseLock}, but skips the work if somebody else holds the lock. */
export async function ifDatabaseUnlocked(
  sessions: Sessions,
  databaseId: string,
  work: () => Promise<void>,
): Promise<void> {
  const { connection, cluster } = sessions;
  const unlessLocked = async (session: Platform | ClusterSession, then: () => Promise<void>) => {
    await unlessUnderWay(session, lockOf(databaseId), then);
  };
  await unlessLocked(connection, isAtHome(sessions) ? work : () => unlessLocked(cluster, work));
}
