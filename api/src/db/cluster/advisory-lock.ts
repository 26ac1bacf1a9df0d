import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { ClusterSession } from './session.ts';

/**
 * Runs `work` unless another server process does the same now, by an advisory lock of the session. A killed server's lock is free when
 * PostgreSQL finds its session gone.
 * @param connection the one session
 * @param what names the work
 * @returns false where it is under way
 */
export async function unlessUnderWay(
  connection: Platform | ClusterSession,
  what: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const key = sql`hashtextextended(${what}, 0)`;
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`.execute(connection);
  if (!rows[0]?.locked) return false;
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(${key})`.execute(connection);
  }
  return true;
}
