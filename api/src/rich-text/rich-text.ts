import pLimit from 'p-limit';
import { type SanitizingThread, startThread } from './sanitizing-thread.ts';

const THREADS = 2;
/** Milliseconds that a text may take. */
const TIME_LIMIT = 5_000;
/** Milliseconds after which a thread that nothing comes for ends. */
const IDLE_LIMIT = 60_000;

const turn = pLimit(THREADS);
const idle: { thread: SanitizingThread; end: NodeJS.Timeout }[] = [];

/**
 * Sanitises rich text (DECISIONS §11). jsdom takes memory and time, and hostile text more of both: it lives in threads that start with
 * the first text, end when nothing comes for a minute, and can be ended at any time.
 * @param timeLimit milliseconds that it may take
 * @returns undefined where the text is too complex: it takes too long, too much memory, is nested too deeply, or the sanitiser fails on it
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
    idle.splice(idle.indexOf(entry), 1);
    void thread.end();
  }, IDLE_LIMIT).unref();
  const entry = { thread, end };
  idle.push(entry);
}
