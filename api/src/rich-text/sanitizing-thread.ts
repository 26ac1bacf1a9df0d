import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A thread that sanitizes one text at a time. */
export interface SanitizingThread {
  /** @returns undefined if the text cannot be sanitized; the thread may have ended then @throws errors from outside of the thread */
  sanitize(html: string, timeLimit: number): Promise<string | undefined>;
  isAlive(): boolean;
  end(): Promise<unknown>;
}

const FILE = new URL('./sanitize.worker.ts', import.meta.url);
/** How much memory hostile text may take, in MiB. */
const MEMORY_LIMIT = 256;

/** Starts a thread and waits until it has loaded what it needs, so that this does not count for a text's time limit. */
export async function startThread(): Promise<SanitizingThread> {
  const worker = new Worker(FILE, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT } });
  await once(worker, 'message');
  let alive = true;
  let answer: PromiseWithResolvers<string | undefined> | undefined;
  worker.on('message', (clean: string | undefined) => answer?.resolve(clean));
  worker.on('error', (error) => (isOutOfMemory(error) ? answer?.resolve(undefined) : answer?.reject(error)));
  // If nothing was reported before, the thread was ended at the time limit.
  worker.on('exit', () => {
    alive = false;
    answer?.resolve(undefined);
  });
  const end = () => {
    alive = false;
    return worker.terminate();
  };
  worker.unref();
  return {
    sanitize: async (html, timeLimit) => {
      answer = Promise.withResolvers();
      const timer = setTimeout(end, timeLimit);
      worker.postMessage(html);
      try {
        return await answer.promise;
      } finally {
        clearTimeout(timer);
      }
    },
    isAlive: () => alive,
    end,
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
