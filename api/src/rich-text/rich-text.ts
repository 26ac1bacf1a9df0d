import pLimit from 'p-limit';
import { type SanitizingThread, startThread } from './sanitizing-thread.ts';

const THREADS = 2;
/** How long sanitizing one text may take, in milliseconds. */
const TIME_LIMIT = 5_000;
/** How long a thread may be idle before it ends, in milliseconds. */
const IDLE_LIMIT = 120_000;

const turn = pLimit(THREADS);
const idle: { thread: SanitizingThread; end: NodeJS.Timeout }[] = [];

/**
 * Sanitizes rich text (DECISIONS §11). jsdom takes memory and time, and hostile text more of both, so it runs in threads that can
 * be ended at any time. A thread takes half a second to start and 70 MB: it starts with the first text and ends after two minutes
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

/** Gets a thread ready, so that whoever had a text open while the server was restarted does not wait when saving it. */
export async function warmUp(): Promise<void> {
  await sanitizeRichText('<p>Ready</p>');
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
    idle.splice(idle.indexOf(entry), 1);
    void thread.end();
  }, IDLE_LIMIT).unref();
  const entry = { thread, end };
  idle.push(entry);
}
