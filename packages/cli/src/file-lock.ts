import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/**
 * After how long a lock is that of a process that is gone. A refresh that is answered takes less. One whose answers are lost is repeated and may
 * hold its lock for some 34 seconds: then two processes come with the same pair of tokens, and the server gives both the same new one for 30 seconds.
 */
const STALE_MS = 10_000;
/** The pause between two tries. */
const PAUSE_MS = 50;

/**
 * Runs the work while no other process runs its own under the same lock, which is a file.
 * @returns what the work returns
 * @throws what the work throws, or why the file cannot be made
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const owner = randomUUID();
  while (!(await tryLock(path, owner))) await setTimeout(PAUSE_MS);
  try {
    return await work();
  } finally {
    // Another process may have taken it over.
    if ((await readFile(path, 'utf8').catch(() => '')) === owner) await rm(path, { force: true });
  }
}

/** In a rare race two processes that take over the same stale lock both hold it, which does as little harm as one that took too long. */
async function tryLock(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (await isStale(path)) await rm(path, { force: true });
    return false;
  }
}

async function isStale(path: string): Promise<boolean> {
  const lock = await stat(path).catch(() => undefined);
  // One of the future was made under another clock.
  return lock !== undefined && Math.abs(Date.now() - lock.mtimeMs) > STALE_MS;
}
