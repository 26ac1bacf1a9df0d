import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that sanitizes one text at a time. */
export interface SanitizingProcess {
  /**
   * @param timeLimit in milliseconds
   * @returns undefined if the text cannot be sanitized; the process may have ended then
   */
  sanitize(html: string, timeLimit: number): Promise<string | undefined>;
  isAlive(): boolean;
  end(): void;
}

/** What the process is sent. */
export interface TextToSanitize {
  html: string;
  /** In milliseconds. The process keeps it itself, so that it does so where the server is gone. */
  timeLimit: number;
}

/** What the process answers; nothing where the text cannot be sanitized, and once at its start. */
export interface SanitizedText {
  clean?: string;
  /** What went wrong, for the log. */
  failure?: string;
}

const PROGRAM = fileURLToPath(new URL('./sanitize.process.ts', import.meta.url));
/** How much memory hostile text may take, in MiB. */
const MEMORY_LIMIT = 256;
const FLAGS = [`--max-old-space-size=${MEMORY_LIMIT}`, '--max-semi-space-size=4'];

/**
 * Starts a process and waits until it has loaded what it needs, so that this does not count for a text's time limit. It ends with the server,
 * and has none of its settings: they have secrets.
 * @throws Error when it does not start
 */
export async function startProcess(): Promise<SanitizingProcess> {
  const { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX } = process.env;
  const child = fork(PROGRAM, {
    execArgv: FLAGS,
    env: { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX },
    // Where its memory does not suffice, V8 writes pages about that.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<void>((fulfil) => child.once('exit', () => fulfil()));
  await Promise.race([once(child, 'message'), ended.then(failToStart)]);
  let alive = true;
  let answer: PromiseWithResolvers<string | undefined> | undefined;
  child.on('message', ({ clean, failure }: SanitizedText) => {
    if (failure !== undefined) process.stderr.write(`A text could not be sanitized. ${failure}\n`);
    answer?.resolve(clean);
  });
  // The text took too long, or too much memory.
  void ended.then(() => {
    alive = false;
    answer?.resolve(undefined);
  });
  // A text that is sent while it ends cannot be sent; its end is the answer.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return {
    sanitize: (html, timeLimit) => {
      answer = Promise.withResolvers();
      // Somebody waits: this process would end where nothing else keeps it, as in a start that is slow.
      child.ref();
      child.send({ html, timeLimit } satisfies TextToSanitize);
      return answer.promise.finally(() => child.unref());
    },
    isAlive: () => alive,
    end: () => {
      alive = false;
      if (child.connected) child.disconnect();
    },
  };
}

function failToStart(): never {
  throw new Error('The process that sanitizes texts did not start.');
}
