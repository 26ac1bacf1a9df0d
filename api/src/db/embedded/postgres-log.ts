import { copyFile, stat, truncate } from 'node:fs/promises';

/** Bytes of the embedded PostgreSQL's log: what tenants' sessions say is written there, and they may say anything. */
export const LARGEST_LOG = 64 * 1024 * 1024;
/** How often its size is looked at, in milliseconds. */
const INTERVAL = 10_000;

/** Keeps a log from growing without bound. @param limit in bytes @returns ends it */
export function watchLog(path: string, limit: number): () => void {
  // Where it cannot be rotated now, as on a full disk, it can be later.
  const timer = setInterval(() => void rotateLog(path, limit).catch(() => {}), INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Begins a log anew that is larger than `limit` bytes, and keeps the old one beside it as `.1`. It is emptied, not renamed, as PostgreSQL
 * holds it open and appends to it.
 */
export async function rotateLog(path: string, limit: number): Promise<void> {
  const { size } = await stat(path);
  if (size <= limit) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
