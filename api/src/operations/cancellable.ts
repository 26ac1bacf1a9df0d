import { cancelBackend, findBackendPid } from './backends.repository.ts';
import type { Run } from './operation-kind.ts';

/**
 * Runs statements of one PostgreSQL session. If the operation is cancelled, PostgreSQL cancels the present one and rolls it back.
 * @param pid process id of the session (pg_backend_pid)
 * @throws the run's reason for being cancelled
 */
export async function cancellable<T>(
  run: Pick<Run, 'context' | 'signal'>,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  run.signal.throwIfAborted();
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = cancelBackend(run.context.platform, pid).catch(() => {});
  };
  run.signal.addEventListener('abort', cancel);
  try {
    return await work();
  } catch (error) {
    run.signal.throwIfAborted();
    throw error;
  } finally {
    run.signal.removeEventListener('abort', cancel);
    // Waited for, as a late cancellation would hit the session's next statement, such as one that undoes.
    await cancelling;
  }
}

/** Process id of the run's own session. */
export const backendPid = ({ connection }: Pick<Run, 'connection'>): Promise<number> => findBackendPid(connection);
