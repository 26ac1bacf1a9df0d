import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorePlace } from '../../../../backup-stores.ts';
import { AppError } from '../../../../errors.ts';
import { flushToDisk } from '../archive/archive-store.ts';
import type { BackupStore } from './backup-store.ts';

/** Bytes that are read at once. */
const CHUNK = 1024 * 1024;

/**
 * A folder, such as a mounted disk of another machine. It must exist: were it made here, copies would land on the machine's own disk
 * while the other one is not mounted.
 */
export function fileStore({ path: folder }: FileStorePlace): BackupStore {
  const removeParts = async (name: string): Promise<void> => {
    for (const entry of await readdir(folder)) {
      if (entry.startsWith(`${name}.`) && entry.endsWith('.part')) await rm(join(folder, entry), { force: true });
    }
  };
  return {
    async put({ name, content, signal }) {
      await removeParts(name);
      // Named anew each time: an attempt that was believed dead cannot finish with another one's bytes.
      const part = join(folder, `${name}.${randomUUID()}.part`);
      try {
        await pipeline(content, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }), { signal });
        await rename(part, join(folder, name));
      } catch (error) {
        await rm(part, { force: true }).catch(() => {});
        throw error;
      }
      await flushToDisk(folder);
      return false;
    },
    async *read(name, signal) {
      try {
        yield* createReadStream(join(folder, name), { highWaterMark: CHUNK, signal });
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? await whyMissing(folder, error) : error;
      }
    },
    async list(beginning) {
      const names = (await readdir(folder)).filter((name) => name.startsWith(beginning) && !name.endsWith('.part'));
      return Promise.all(names.map(async (name) => ({ name, storedAt: (await stat(join(folder, name))).mtime })));
    },
    async remove(name) {
      await removeParts(name);
      await rm(join(folder, name), { force: true });
    },
  };
}

/** A folder that is away is not a copy that is gone. */
async function whyMissing(folder: string, error: unknown): Promise<unknown> {
  await readdir(folder);
  return new AppError('not-found', { message: 'The copy is gone.' }, { cause: error });
}
