import { setTimeout } from 'node:timers/promises';

/** Something that works in the background of this server process. */
export interface Worker {
  /** Has it end, and waits for what is under way. */
  stop(): Promise<void>;
}

/** For where there is nothing to do. */
export const IDLE: Worker = { stop: async () => {} };

/**
 * Works round after round, one at a time, until it is stopped.
 * @param round returns the pause after it, in milliseconds; it deals with its own errors
 */
export function startWorker(round: (stopping: AbortSignal) => Promise<number>): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    while (!signal.aborted) {
      const pause = await round(signal);
      if (pause > 0) await setTimeout(pause, undefined, { signal }).catch(() => {});
    }
  };
  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/**
 * Takes one thing after the other that is due, until it is stopped.
 * @param takeOne returns whether there was something to do: if not, or if it fails, the next look comes after a pause
 * @param poll that pause, in milliseconds
 */
export const startTaking = (
  takeOne: (stopping: AbortSignal) => Promise<boolean>,
  { poll, onError }: { poll: number; onError: (error: unknown) => void },
): Worker =>
  startWorker(async (stopping) => {
    const wasBusy = await takeOne(stopping).catch((error: unknown) => {
      onError(error);
      return false;
    });
    return wasBusy ? 0 : poll;
  });
