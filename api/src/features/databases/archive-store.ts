import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';

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

/** Runs `work` with a file that names entries of an archive, as pg_restore reads it. @param id of the operation */
export async function withEntryList(
  { backupDir }: Store,
  id: string,
  entryIds: readonly string[],
  work: (path: string) => Promise<void>,
): Promise<void> {
  const path = join(backupDir, `${id}.list`);
  await writeFile(path, entryIds.map((entryId) => `${entryId};\n`).join(''), { mode: 0o600 });
  try {
    await work(path);
  } finally {
    await rm(path, { force: true });
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
