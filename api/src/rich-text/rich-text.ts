import pLimit from 'p-limit';
import { type SanitizingThread, startThread } from './sanitizing-thread.ts';

const THREADS = 2;
/** How long sanitizing one text may take, in milliseconds. */
const TIME_LIMIT = 5_000;
/** How long a thread may be idle before it ends, in milliseconds; the last one stays. */
const IDLE_LIMIT = 60_000;
/** How long the first text may take, in milliseconds, while the machine is starting other programs too. */
const WARM_UP_LIMIT = 60_000;

const turn = pLimit(THREADS);
const idle: { thread: SanitizingThread; end: NodeJS.Timeout }[] = [];

/**
 * Sanitizes rich text (DECISIONS §11). jsdom takes memory and time, and hostile text more of both, so it runs in threads that can
 * be ended at any time. A thread takes seconds to start on a busy machine, so one is always ready; further ones end after a minute
 * without work.
 * @param timeLimit in milliseconds
 * @returns undefined if the text is too complex: it takes too long or too much memory, is nested too deeply, or the sanitizer fails
 * on it
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

/** Starts a thread before anybody needs one. Its first text makes it load and compile what every text needs. */
export async function warmSanitizer(): Promise<void> {
  await sanitizeRichText('<p>Warm</p>', WARM_UP_LIMIT);
}

/** The idle thread that worked last, so that the others stay idle and end. */
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
