import { open } from 'node:fs/promises';

/** Has what was written into a file, or which names a folder has, outlive a failure of power. */
export async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
