import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a store's folder, whole or not. */
export const filesInStore = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name !== '.parts');

export async function emptyStore(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}
