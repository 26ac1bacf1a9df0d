import { createHash, type Hash } from 'node:crypto';
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../errors.ts';
import { flushToDisk } from '../../../../flush-to-disk.ts';

/** What is known of an archive's file. */
export interface ArchiveFile {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** After how long an unfinished file that nobody has written or touched is abandoned, in milliseconds; and an unfinished backup that nobody has finished. */
export const ABANDONED_AFTER = 3_600_000;
/** How often an unfinished file is touched while a process works on it, in milliseconds. */
const TOUCHED_EVERY = ABANDONED_AFTER / 6;
/** Bytes that are read of a file at once. */
const READ_AT_ONCE = 1024 * 1024;
/** The name of an archive that is being written, or of a list of entries. */
const UNFINISHED = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:part|list)$/;

type Store = Pick<Context, 'backupDir'>;

/** The path of a backup's archive. */
export const archivePath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.dump`);

/** The path of an archive that is being written. */
const draftPath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.part`);

/** Makes the folder of archives where it is not there. Only the server's account can use it. */
export async function makeFolder({ backupDir }: Store): Promise<void> {
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  await chmod(backupDir, 0o700);
}

/**
 * Creates an empty file for a new archive, which only the server's account can read. Removes what an earlier attempt left. It is not
 * abandoned until this process has ended, or has finished or removed it.
 * @returns its path
 */
export async function createDraft(store: Store, id: string): Promise<string> {
  await makeFolder(store);
  await removeArchive(store, id);
  const path = draftPath(store, id);
  const file = await open(path, 'wx', 0o600);
  await file.close();
  keepTouching(path);
  return path;
}

/** Touches a file until it is gone: verifying a large archive, or loading it, writes nothing for hours. */
function keepTouching(path: string): void {
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOENT') clearInterval(touching);
    });
  }, TOUCHED_EVERY).unref();
}

/** Makes a complete archive durable and gives it its final name. */
export async function finishDraft(store: Store, id: string): Promise<void> {
  await flushToDisk(draftPath(store, id));
  await rename(draftPath(store, id), archivePath(store, id));
  await flushToDisk(store.backupDir);
}

/** Removes an archive that is not complete. It is no error when there is none. */
export const removeDraft = (store: Store, id: string): Promise<void> => rm(draftPath(store, id), { force: true });

/** Removes an archive, complete or not. It is no error when there is none. */
export async function removeArchive(store: Store, id: string): Promise<void> {
  await Promise.all([draftPath(store, id), archivePath(store, id)].map((path) => rm(path, { force: true })));
}

/** Ids of the backups of which the folder has an archive, complete or not. */
export async function listArchives({ backupDir }: Store): Promise<Set<string>> {
  const names = await readdir(backupDir).catch(() => []);
  return new Set(
    names.map((name) => parse(name)).flatMap(({ name, ext }) => (/^\.(dump|part)$/.test(ext) ? [name] : [])),
  );
}

/**
 * An open file that lists entries of an archive for pg_restore. Its name is removed at once, so the file is gone when it is closed.
 * @param id of the operation
 */
export async function openEntryList(store: Store, id: string, entryIds: readonly string[]): Promise<FileHandle> {
  const path = listPath(store, id);
  await makeFolder(store);
  const list = await open(path, 'w+', 0o644);
  try {
    // pg_restore's account must be able to read it, whatever the umask. It has only numbers, in a folder of the server's account.
    await list.chmod(0o644);
    // Written at position 0, because pg_restore reads from the file's current position.
    await list.write(entryIds.map((entryId) => `${entryId};\n`).join(''), 0);
    return list;
  } catch (error) {
    await list.close();
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the list of an operation that was killed while it wrote the list. */
export const removeEntryList = (store: Store, id: string): Promise<void> => rm(listPath(store, id), { force: true });

const listPath = ({ backupDir }: Store, id: string): string => join(backupDir, `${id}.list`);

/**
 * Runs `work` with an open file.
 * @param flags as of fs.open
 * @throws AppError internal when it cannot be opened
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

interface SeenFile {
  /** When it was written or touched last, by the clock of who did. */
  touchedAt: number;
  /** Since when this process sees that, by a clock that nobody sets. */
  since: number;
}

/** What this process has seen of the files of folders, by their names. */
const seen = new Map<string, Map<string, SeenFile>>();

/**
 * Those of a folder's files that were neither written nor touched for an hour, as far as this process has seen. It goes by no clock that is
 * set: another machine's, whose process writes a file, may be hours ahead or behind. So what a crash left goes an hour after a start.
 * @param names all that could be abandoned in this folder
 */
export async function findAbandoned(folder: string, names: string[]): Promise<string[]> {
  const now = performance.now();
  const [before, files] = [seen.get(folder), new Map<string, SeenFile>()];
  for (const name of names) {
    // Another operation may rename or remove it meanwhile.
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (!file) continue;
    const known = before?.get(name);
    files.set(name, known?.touchedAt === file.mtimeMs ? known : { touchedAt: file.mtimeMs, since: now });
  }
  seen.set(folder, files);
  return names.filter((name) => now - (files.get(name)?.since ?? now) > ABANDONED_AFTER);
}

/**
 * Removes unfinished files that a crash left: they belong to no known backup and are {@link findAbandoned abandoned}.
 * Complete archives stay, as an unlisted one may be the last copy of somebody's rows. Reconciliation shows them.
 * @param findKnown finds those of some ids that belong to a backup; each backup calls this, so it is asked only where there is an abandoned file
 */
export async function removeAbandonedArchives(
  { backupDir }: Store,
  findKnown: (ids: string[]) => Promise<string[]>,
): Promise<void> {
  const names = (await readdir(backupDir).catch(() => [])).filter((name) => UNFINISHED.test(name));
  const abandoned = await findAbandoned(backupDir, names);
  if (abandoned.length === 0) return;
  const known = new Set(await findKnown(abandoned.map((name) => parse(name).name)));
  for (const name of abandoned) {
    if (!known.has(parse(name).name)) await rm(join(backupDir, name), { force: true });
  }
}

/** Size and digest of a file. @throws with code ENOENT when there is none */
export async function measureFile(path: string, signal?: AbortSignal): Promise<ArchiveFile> {
  const { hash, bytes } = await hashFile(path, { signal });
  return { sizeBytes: bytes, sha256: hash.digest('hex') };
}

/** The SHA-256 of a file's first bytes, to which more can be added. It reads into one buffer: one for each MiB would make garbage. */
export async function hashFile(
  path: string,
  { length = Number.POSITIVE_INFINITY, signal }: { length?: number; signal?: AbortSignal | undefined } = {},
): Promise<{ hash: Hash; bytes: number }> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(READ_AT_ONCE);
    let bytes = 0;
    while (bytes < length) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, Math.min(READ_AT_ONCE, length - bytes), bytes);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return { hash, bytes };
  } finally {
    await file.close();
  }
}
