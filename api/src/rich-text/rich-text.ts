import pLimit from 'p-limit';
import { type SanitizingProcess, startProcess } from './sanitizing-process.ts';

const PROCESSES = 2;
/** How long sanitizing one text may take, in milliseconds. */
const TIME_LIMIT = 5_000;
/** How long a process may be idle before it ends, in milliseconds. */
const IDLE_LIMIT = 120_000;

const turn = pLimit(PROCESSES);
const idle: { sanitizing: SanitizingProcess; end: NodeJS.Timeout }[] = [];

/**
 * Sanitizes rich text (DECISIONS §11). jsdom takes memory and time, and hostile text more of both, so it runs in processes that can
 * be ended at any time and give their memory back. One takes half a second to start and 130 MB: it starts with the first text and ends
 * after two minutes without work.
 * @param timeLimit in milliseconds
 * @returns undefined if the text is too complex: it takes too long or too much memory, is nested too deeply, or the sanitizer fails
 * on it
 */
export async function sanitizeRichText(html: string, timeLimit = TIME_LIMIT): Promise<string | undefined> {
  if (html === '') return '';
  return turn(async () => {
    const sanitizing = takeIdle() ?? (await startProcess());
    const clean = await sanitizing.sanitize(html, timeLimit);
    keepIdle(sanitizing);
    return clean;
  });
}

/** Gets a process ready, so that whoever had a text open while the server was restarted does not wait when saving it. */
export async function warmUp(): Promise<void> {
  await sanitizeRichText('<p>Ready</p>');
}

/** The idle process that worked last, so that the others stay idle and end. */
function takeIdle(): SanitizingProcess | undefined {
  for (let last = idle.pop(); last; last = idle.pop()) {
    clearTimeout(last.end);
    if (last.sanitizing.isAlive()) return last.sanitizing;
  }
  return undefined;
}

function keepIdle(sanitizing: SanitizingProcess): void {
  if (!sanitizing.isAlive()) return;
  const end = setTimeout(() => {
    idle.splice(idle.indexOf(entry), 1);
    sanitizing.end();
  }, IDLE_LIMIT).unref();
  const entry = { sanitizing, end };
  idle.push(entry);
}
