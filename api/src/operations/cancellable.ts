import { setTimeout } from 'node:timers/promises';
import type { ClusterSession } from '../db/cluster/session.ts';
import { cancelBackend, findBackendPid } from './backends.repository.ts';
import type { Run } from './operation-kind.ts';

/** The pause between two cancellations of a session, in milliseconds. */
const CANCEL_INTERVAL = 1_000;

/**
 * Runs statements of one PostgreSQL session. If the operation is cancelled, PostgreSQL cancels the present one, or the next one if there
 * is none at that moment.
 * @param pid process id of the session (pg_backend_pid), on the server of the run's database
 * @throws the run's reason for being cancelled
 */
export async function cancellable<T>(
  run: Pick<Run, 'server' | 'signal'>,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  run.signal.throwIfAborted();
  const ended = new AbortController();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = cancelUntil(ended.signal, run.server.platform, pid);
  };
  run.signal.addEventListener('abort', cancel);
  try {
    return await work();
  } catch (error) {
    run.signal.throwIfAborted();
    throw error;
  } finally {
    run.signal.removeEventListener('abort', cancel);
    ended.abort();
    // Waited for, as a late cancellation would hit the session's next statement, such as one that undoes.
    await cancelling;
  }
}

/** Cancels more than once, as PostgreSQL ignores it while the session is between two statements. */
async function cancelUntil(ended: AbortSignal, platform: ClusterSession, pid: number): Promise<void> {
  while (!ended.aborted) {
    await cancelBackend(platform, pid).catch(() => {});
    await setTimeout(CANCEL_INTERVAL, undefined, { signal: ended }).catch(() => {});
  }
}

/** Process id of the run's own session on the server of its database. */
export const backendPid = ({ cluster }: Pick<Run, 'cluster'>): Promise<number> => findBackendPid(cluster);
