import pLimit from 'p-limit';
import { type SanitizingThread, startThread } from './sanitizing-thread.ts';

const THREADS = 2;
/** Milliseconds that a text may take. */
const TIME_LIMIT = 5_000;
/** Milliseconds after which a thread that nothing comes for ends, unless it is the last one. */
const IDLE_LIMIT = 60_000;
/** Milliseconds that the first text may take, on a machine that starts other things too. */
const WARM_UP_LIMIT = 60_000;

const turn = pLimit(THREADS);
const idle: { thread: SanitizingThread; end: NodeJS.Timeout }[] = [];

/**
 * Sanitizes rich text (DECISIONS §11). jsdom takes memory and time, and hostile text more of both: it lives in threads that can be
 * ended at any time. A thread takes seconds to come up on a busy machine, so one always waits; a second one ends when nothing comes for a
 * minute.
 * @param timeLimit milliseconds that it may take
 * @returns undefined where the text is too complex: it takes too long, too much memory, is nested too deeply, or the sanitizer fails on it
 */
export async function sanitizeRichText(html: string, timeLimit = TIME_LIMIT): Promise<string | undefined> {
  if (html === '') return '';
  return turn(async () => {
    const thread = takeIdle() ?? (await startThread());
    const clean = await thread.sanitize(html, timeLimit);
    keepIdle(thread);
    return clean;
  });
}

/** Brings a thread up, before anybody waits for one; its first text makes it load and compile what every text needs. */
export async function warmSanitizer(): Promise<void> {
  await sanitizeRichText('<p>Warm</p>', WARM_UP_LIMIT);
}

/** The thread that worked last, so that the others come to their end. */
function takeIdle(): SanitizingThread | undefined {
  for (let last = idle.pop(); last; last = idle.pop()) {
    clearTimeout(last.end);
    if (last.thread.isAlive()) return last.thread;
  }
  return undefined;
}

function keepIdle(thread: SanitizingThread): void {
  if (!thread.isAlive()) return;
  const end = setTimeout(() => {
    if (idle.length === 1) return;
    idle.splice(idle.indexOf(entry), 1);
    void thread.end();
  }, IDLE_LIMIT).unref();
  const entry = { thread, end };
  idle.push(entry);
}
