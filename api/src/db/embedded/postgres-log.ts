import { copyFile, stat, truncate } from 'node:fs/promises';

/** Largest log of the embedded PostgreSQL, in bytes: tenants' sessions decide what is written there. */
export const LARGEST_LOG = 64 * 1024 * 1024;
/** How often its size is checked, in milliseconds. */
const INTERVAL = 10_000;

/** Keeps a log below a size. @param limit in bytes @returns ends the watch */
export function watchLog(path: string, limit: number): () => void {
  // A failure, as on a full disk, is tried again at the next interval.
  const timer = setInterval(() => void rotateLog(path, limit).catch(() => {}), INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Copies a log that is larger than `limit` bytes to `.1`, and empties it. It is not renamed, because PostgreSQL has it open and
 * appends to it.
 */
export async function rotateLog(path: string, limit: number): Promise<void> {
  const { size } = await stat(path);
  if (size <= limit) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
