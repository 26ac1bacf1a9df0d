import type { Context } from '../../../../context.ts';
import { HOME_SERVER } from '../../../../db/clusters.ts';
import { statDisk } from '../../../../db/embedded/disk-room.ts';
import { AppError } from '../../../../errors.ts';
import { type BackupRow, findServerOfBackup } from '../backups.repository.ts';
import { estimateRestoredBytes } from './proofs.repository.ts';

/** What stays free on PostgreSQL's disk, in bytes. */
const RESERVE = 256 * 1024 ** 2;
/** A restore writes rows into PostgreSQL's log too, and sorts them for indexes. */
const FACTOR = 2;
const GIGABYTE = 1_000_000_000;

/**
 * Refuses a proof that could fill PostgreSQL's disk. How much is free there is known only of the embedded PostgreSQL: a backup of a database
 * on another server is proved there.
 * @throws AppError disk-full
 */
export async function refuseFullDisk({ platform, clusterDir }: Context, backup: BackupRow): Promise<void> {
  const server = await findServerOfBackup(platform, backup);
  if (clusterDir === undefined || (server ?? HOME_SERVER) !== HOME_SERVER) return;
  const needed = RESERVE + FACTOR * (await estimateRestoredBytes(platform, backup.id));
  const { bavail, bsize } = await statDisk(clusterDir);
  const free = bavail * bsize;
  if (free >= needed) return;
  const [has, takes] = [free, needed].map((bytes) => `${(bytes / GIGABYTE).toFixed(1)} GB`);
  const message = `PostgreSQL's disk has ${has} free, and a proof of this backup of ${backup.databaseName} may take ${takes}. Make room on it, then try again.`;
  throw new AppError('disk-full', { message });
}
