import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import { type ClusterSession, isAtHome, type Sessions } from './session.ts';

/** The key of the lock on one database (registry id). */
const lockKey = (databaseId: string) => sql`hashtextextended(${`database:${databaseId}`}, 0)`;

/**
 * Takes the lock on one database for as long as `work` runs. The PostgreSQL session that changes the cluster holds it: a CREATE
 * DATABASE that goes on after its server process was killed keeps the lock until it ends. On another server than the control
 * database's each of the two sessions holds one.
 */
export async function withDatabaseLock<T>(sessions: Sessions, databaseId: string, work: () => Promise<T>): Promise<T> {
  const { connection, cluster } = sessions;
  await sql`select pg_advisory_lock(${lockKey(databaseId)})`.execute(connection);
  return unlockAfter(connection, databaseId, () =>
    isAtHome(sessions) ? work() : withClusterLock(cluster, databaseId, work),
  );
}

/** The part of {@link withDatabaseLock} on another server than the control database's. */
export async function withClusterLock<T>(
  cluster: ClusterSession,
  databaseId: string,
  work: () => Promise<T>,
): Promise<T> {
  await sql`select pg_advisory_lock(${lockKey(databaseId)})`.execute(cluster);
  return unlockAfter(cluster, databaseId, work);
}

/** As {@link withDatabaseLock}, but skips the work if somebody else holds the lock. */
export async function ifDatabaseUnlocked(
  sessions: Sessions,
  databaseId: string,
  work: () => Promise<void>,
): Promise<void> {
  const { connection, cluster } = sessions;
  const onCluster = isAtHome(sessions) ? work : () => ifUnlocked(cluster, databaseId, work);
  await ifUnlocked(connection, databaseId, onCluster);
}

async function ifUnlocked(
  session: Platform | ClusterSession,
  databaseId: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_lock(${lockKey(databaseId)}) as locked`.execute(session);
  if (rows[0]?.locked) await unlockAfter(session, databaseId, work);
}

async function unlockAfter<T>(
  session: Platform | ClusterSession,
  databaseId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(${lockKey(databaseId)})`.execute(session);
  }
}
