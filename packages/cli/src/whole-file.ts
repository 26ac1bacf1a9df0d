import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What ends a command from outside: Ctrl-C, a kill, the end of its terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes a new file that its owner alone can read. It gets its name when it is whole; else nothing is left of it.
 * @throws Error where a file has that name, the content ends early, or the command is interrupted
 */
export async function writeWhole(path: string, content: Readable): Promise<void> {
  // A name that no other run has: a kill may leave it, which must not be in the way of the next try. Process ids repeat in containers.
  const part = `${path}.${randomUUID()}.part`;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('Interrupted: nothing was kept.'));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    refuseExisting(path);
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(content, file, { signal: interrupted.signal });
    // Again, as rename would replace one that was made meanwhile.
    refuseExisting(path);
    await rename(part, path);
  } catch (error) {
    content.destroy();
    await rm(part, { force: true });
    interrupted.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already.`);
}
