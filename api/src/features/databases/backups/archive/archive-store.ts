import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../errors.ts';

/** What is known of an archive's file. */
export interface ArchiveFile {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A file that nobody has written to for so long is nobody's upload, in milliseconds. */
const ABANDONED_AFTER = 3_600_000;

type Store = Pick<Context, 'backupDir'>;

/** Where the archive of a backup lies. */
export const archivePath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.dump`);

/** Where it is written until it is whole. */
const draftPath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.part`);

/** An empty file for a new archive, in place of what an earlier attempt left: only the server's own account reads it. @returns its path */
export async function beginArchive(store: Store, id: string): Promise<string> {
  await mkdir(store.backupDir, { recursive: true, mode: 0o700 });
  await chmod(store.backupDir, 0o700);
  await removeArchive(store, id);
  const file = await open(draftPath(store, id), 'wx', 0o600);
  await file.close();
  return draftPath(store, id);
}

/** Makes a whole archive durable under its own name. */
export async function keepArchive(store: Store, id: string): Promise<void> {
  await sync(draftPath(store, id));
  await rename(draftPath(store, id), archivePath(store, id));
  await sync(store.backupDir);
}

/** Removes an archive, whole or half-written; what is gone already is no error. */
export async function removeArchive(store: Store, id: string): Promise<void> {
  await Promise.all([draftPath(store, id), archivePath(store, id)].map((path) => rm(path, { force: true })));
}

/**
 * An open file that names entries of an archive, as pg_restore reads it. It has no name any more: it goes with whoever holds it open.
 * @param id of the operation
 */
export async function openEntryList(store: Store, id: string, entryIds: readonly string[]): Promise<FileHandle> {
  const path = listPath(store, id);
  const list = await open(path, 'w+', 0o644);
  try {
    // Of the account of pg_restore too, whatever the umask: it holds numbers only, in a folder that is the server's own.
    await list.chmod(0o644);
    // Whoever reads it begins where its position is.
    await list.write(entryIds.map((entryId) => `${entryId};\n`).join(''), 0);
    return list;
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the list of an operation that was cut off while it was written. */
export const removeEntryList = (store: Store, id: string): Promise<void> => rm(listPath(store, id), { force: true });

const listPath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.list`);

/**
 * Runs `work` with an open file.
 * @param flags as of fs.open
 * @throws AppError internal where the system does not open it
 */
export async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    const reason = getSystemErrorMessage(error.errno ?? 0).replace(/^./, (first) => first.toUpperCase());
    throw new AppError('internal', { message: `The archive cannot be opened: ${reason}.` }, { cause: error });
  });
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/**
 * Removes the unfinished files that a crash left: of no backup that is known, and not written to for an hour. A whole archive is never
 * removed here: one that is not on the list may be the last copy of somebody's rows, and reconciling shows it.
 */
export async function removeAbandonedArchives(store: Store, knownIds: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(store.backupDir).catch(() => [])) {
    const [, id] = /^([0-9a-f-]{36})\.(?:part|list)$/.exec(name) ?? [];
    if (!id || knownIds.has(id)) continue;
    // Whoever works with it may rename or remove it meanwhile.
    const file = await stat(join(store.backupDir, name)).catch(() => undefined);
    if (file && Date.now() - file.mtimeMs > ABANDONED_AFTER) await rm(join(store.backupDir, name), { force: true });
  }
}

/** Reads a file whole. @throws with code ENOENT when it is not there */
export async function measureFile(path: string, signal?: AbortSignal): Promise<ArchiveFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    createReadStream(path, { highWaterMark: 1024 * 1024 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        hash.update(chunk);
      }
    },
    { signal },
  );
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
