import { sql } from 'kysely';
import type { ClusterSession } from '../db/cluster/session.ts';

/** Process id of a session (pg_backend_pid). */
export async function findBackendPid(cluster: ClusterSession): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(cluster);
  return rows[0]?.pid ?? 0;
}

/** Cancels the statement that a session is running, if it is running one. */
export async function cancelBackend(cluster: ClusterSession, pid: number): Promise<void> {
  await sql`select pg_cancel_backend(${pid})`.execute(cluster);
}
