import type { LeftOutObject } from '@apotheca/contract/backups';
import type { Context } from '../../../context.ts';
import { findRestoreRights } from '../../../db/cluster/object-owner.ts';
import type { Cluster } from '../../../db/clusters.ts';
import {
  countArchivedRows,
  describeRefused,
  divideObjects,
  largeObjectsLeftOut,
  type RestoreLimits,
} from './archive/archive-left-out.ts';
import type { Manifest } from './archive/archive-manifest.ts';
import { type AdditionalObject, additionalObjects, readEntries } from './archive/archive-objects.ts';
import { archivePath } from './archive/archive-store.ts';
import { type BackupRow, findManifest } from './backups.repository.ts';
import { findArchive } from './stores/copies.service.ts';

const FROM_ELSEWHERE = 'Of an archive from elsewhere only the rows of the platform’s tables are restored.';
const OF_EARLIER_VERSION = 'Of a backup of an earlier version only the rows of the platform’s tables are restored.';
const NO_SUPERUSER = 'It is restored only where DATABASE_URL names a superuser.';

/** What a restore makes of an archive beyond the rows of the platform's tables. */
export interface RestoreContents {
  additional: AdditionalObject[];
  leftOut: LeftOutObject[];
  manifest: Manifest | null;
}

/** How far an archive is read. */
interface ReadLimits {
  /** How long rows of tables that are not restored may be counted in it, in milliseconds; 0: they are not. */
  limit: number;
  signal?: AbortSignal | undefined;
}

/**
 * Divides what a backup has beyond the platform's schema. Of one that this installation made, the list of backups knows it; else the
 * archive is read, and brought back first where it is gone.
 * @param server that it is restored on
 * @throws AppError damaged-archive, not-found
 */
export async function readRestoreContents(
  context: Context,
  backup: BackupRow,
  server: Cluster,
  { limit, signal }: ReadLimits,
): Promise<RestoreContents> {
  const manifest = await findManifest(context.platform, backup.id);
  if (backup.origin === 'made' && manifest) return divideManifest(server, manifest);
  const path = archivePath(context, backup.id);
  const size = await findArchive(context, backup, signal);
  const none = backup.origin === 'made' ? OF_EARLIER_VERSION : FROM_ELSEWHERE;
  const objects = additionalObjects(await readEntries(path, size));
  const { refused } = divideObjects(objects, { none, trustedExtensions: new Set() });
  const tables = new Set(objects.filter(({ kind }) => kind === 'TABLE DATA').map(({ id }) => id));
  const rows = limit > 0 ? await countArchivedRows(path, size, tables, AbortSignal.timeout(limit)) : new Map();
  return { additional: [], leftOut: describeRefused(refused, rows), manifest };
}

/** Divides what an archive of this installation has, by its manifest. */
export async function divideManifest(server: Cluster, manifest: Manifest): Promise<RestoreContents> {
  const { restored, refused } = divideObjects(manifest.objects, await limitsOf(server));
  const rowsOf = ({ schema, name }: AdditionalObject) =>
    manifest.tables.find((table) => table.schema === schema && table.name === name)?.rows ?? null;
  const rows = new Map(refused.map(({ object }) => [object.id, rowsOf(object)]));
  const { largeObjects } = manifest;
  const leftOut = [...describeRefused(refused, rows), ...(largeObjects > 0 ? [largeObjectsLeftOut(largeObjects)] : [])];
  return { additional: restored, leftOut, manifest };
}

async function limitsOf({ platform }: Cluster): Promise<RestoreLimits> {
  const { isSuperuser, trustedExtensions } = await findRestoreRights(platform);
  return { none: isSuperuser ? null : NO_SUPERUSER, trustedExtensions: new Set(trustedExtensions) };
}
