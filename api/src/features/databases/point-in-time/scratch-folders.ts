import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Context } from '../../../context.ts';
import { listUnfinished } from './wal-archive.repository.ts';

/** What an operation has on the disk while it restores a moment. */
export interface ScratchFolder {
  /** Files of the second PostgreSQL. */
  clusterDir: string;
  /** The archive of the one database, in a folder that only the server's account can use: pg_dump's may write to it. */
  archivePath: string;
  remove(): Promise<void>;
}

const rootOf = ({ clusterDir }: Context): string | undefined =>
  clusterDir === undefined ? undefined : resolve(dirname(clusterDir), 'moments');

/** The empty folder of an operation. Removes what an earlier run left. */
export async function makeScratchFolder(context: Context, operationId: string): Promise<ScratchFolder> {
  const folder = join(rootOf(context) ?? '', operationId);
  await removeFolder(folder);
  // The cluster's account must be able to walk to its part; the way to it is in the list of processes, for everybody on the machine.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const closed = join(folder, 'archive');
  await mkdir(closed, { mode: 0o700 });
  return {
    clusterDir: join(folder, 'cluster'),
    archivePath: join(closed, 'archive.dump'),
    remove: () => removeFolder(folder),
  };
}

/** Removes what an operation has on the disk. It is no error when there is nothing. */
export async function removeScratchFolder(context: Context, operationId: string): Promise<void> {
  const root = rootOf(context);
  if (root !== undefined) await removeFolder(join(root, operationId));
}

/** Others are somebody else's, as the lost+found of a disk that is mounted here. */
const OF_OPERATION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes the folders of operations that have come to their end: their server was killed before it could. */
export async function removeLeftScratch(context: Context): Promise<void> {
  const root = rootOf(context);
  const names = root === undefined ? [] : await readdir(root).catch(() => []);
  const ids = names.filter((name) => OF_OPERATION.test(name));
  if (ids.length === 0) return;
  const unfinished = new Set(await listUnfinished(context.platform, ids));
  for (const id of ids) if (!unfinished.has(id)) await removeScratchFolder(context, id);
}

/** A PostgreSQL that is just being ended by the system may still write files. */
const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
