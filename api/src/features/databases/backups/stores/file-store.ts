import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorePlace } from '../../../../backup-stores.ts';
import { AppError } from '../../../../errors.ts';
import { flushToDisk } from '../../../../flush-to-disk.ts';
import type { BackupStore } from './backup-store.ts';

/** Bytes that are read at once. */
const CHUNK = 1024 * 1024;

/** Where copies are written before they are whole, in the store's folder: that may have very many files, and only this one is listed. */
const PARTS = '.parts';

/**
 * A folder, such as a mounted disk of another machine. It must exist: were it made here, copies would land on the machine's own disk
 * while the other one is not mounted.
 */
export function fileStore({ path: folder }: FileStorePlace): BackupStore {
  const parts = join(folder, PARTS);
  // The version before writes parts beside the copies. They are listed once, and seen again with the copies.
  let older: Promise<string[]> | undefined;
  const findOlder = (): Promise<string[]> => {
    older ??= readdir(folder).then(partsOf);
    older.catch(() => {
      older = undefined;
    });
    return older;
  };
  const removeParts = async (name: string): Promise<void> => {
    // Of a folder that is away nothing can be removed.
    await stat(folder);
    const places = [
      { within: folder, names: await findOlder() },
      { within: parts, names: partsOf(await namesIn(parts)) },
    ];
    for (const { within, names } of places)
      for (const each of names) if (each.startsWith(`${name}.`)) await rm(join(within, each), { force: true });
  };
  return {
    async put({ name, content, signal }) {
      await removeParts(name);
      await makeParts(folder, parts);
      // Named anew each time: an attempt that was believed dead cannot finish with another one's bytes.
      const part = join(parts, `${name}.${randomUUID()}.part`);
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
      const all = await readdir(folder);
      older = Promise.resolve(partsOf(all));
      const names = all.filter((name) => name.startsWith(beginning) && name !== PARTS && !isPart(name));
      return Promise.all(names.map(async (name) => ({ name, storedAt: (await stat(join(folder, name))).mtime })));
    },
    async remove(name) {
      await removeParts(name);
      await rm(join(folder, name), { force: true });
    },
  };
}

const isPart = (name: string): boolean => name.endsWith('.part');
const partsOf = (names: readonly string[]): string[] => names.filter(isPart);

/** The names in a folder that is made with the first part. */
const namesIn = (parts: string): Promise<string[]> =>
  readdir(parts).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/**
 * Makes the folder of parts, where it is not there. It is as open as the store's own, and of its group, as servers of several accounts may share
 * that; also where a kill came before it was.
 */
async function makeParts(folder: string, parts: string): Promise<void> {
  await mkdir(parts).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const [{ mode, gid }, made] = await Promise.all([stat(folder), stat(parts)]);
  if (made.gid === gid && made.mode === mode) return;
  // Some shares know neither, and what another account has made is not this one's to change. The group first, as its change may take bits away.
  await chown(parts, -1, gid).catch(() => {});
  await chmod(parts, mode & 0o7777).catch(() => {});
}

/** A folder that is away is not a copy that is gone. */
async function whyMissing(folder: string, error: unknown): Promise<unknown> {
  await stat(folder);
  return new AppError('not-found', { message: 'The copy is gone.' }, { cause: error });
}
