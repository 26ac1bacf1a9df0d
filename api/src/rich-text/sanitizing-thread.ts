import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A thread with a sanitizer in it, for one text at a time. */
export interface SanitizingThread {
  /** @returns undefined where the text cannot be sanitized; the thread may have ended then. @throws what goes wrong outside of it */
  sanitize(html: string, timeLimit: number): Promise<string | undefined>;
  isAlive(): boolean;
  end(): Promise<unknown>;
}

const FILE = new URL('./sanitize.worker.ts', import.meta.url);
/** What hostile text may make of itself in memory, in MiB. */
const MEMORY_LIMIT = 256;

/** Starts a thread and waits until it has loaded what it needs, which no text's time limit has to pay for. */
export async function startThread(): Promise<SanitizingThread> {
  const worker = new Worker(FILE, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT } });
  await once(worker, 'message');
  let alive = true;
  let answer: PromiseWithResolvers<string | undefined> | undefined;
  worker.on('message', (clean: string | undefined) => answer?.resolve(clean));
  worker.on('error', (error) => (isOutOfMemory(error) ? answer?.resolve(undefined) : answer?.reject(error)));
  // Out of time, where nothing was said before.
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
