import type { Context } from '../../../../context.ts';
import { HOME_SERVER } from '../../../../db/clusters.ts';
import { AppError } from '../../../../errors.ts';
import { findFreeDisk } from '../../../databaseservers/free-disk.ts';
import { listServerNames } from '../../../databaseservers/placement.ts';
import { type BackupRow, findServerOfBackup } from '../backups.repository.ts';
import { estimateRestoredBytes } from './proofs.repository.ts';

/** What stays free on PostgreSQL's disk, in bytes. */
const RESERVE = 256 * 1024 ** 2;
/** A restore writes rows into PostgreSQL's log too, and sorts them for indexes. */
const FACTOR = 2;
const GIGABYTE = 1_000_000_000;

/**
 * Refuses a proof that could fill the disk of the PostgreSQL server on which it is made, where the free room there is known.
 * @throws AppError disk-full
 */
export async function refuseFullDisk(context: Context, backup: BackupRow): Promise<void> {
  const { platform, clusters } = context;
  const server = (await findServerOfBackup(platform, backup)) ?? HOME_SERVER;
  const free = await findFreeDisk(context, server, (await clusters.of(server)).url);
  if (free === undefined || 'unknown' in free) return;
  const needed = RESERVE + FACTOR * (await estimateRestoredBytes(platform, backup.id));
  if (free.bytes >= needed) return;
  const [has, takes] = [free.bytes, needed].map((bytes) => `${(bytes / GIGABYTE).toFixed(1)} GB`);
  const [name] = server === HOME_SERVER ? [] : await listServerNames(platform, [server]);
  const disk = name === undefined ? "PostgreSQL's disk" : `The disk of the database server ${name}`;
  const message = `${disk} has ${has} free, and a proof of this backup of ${backup.databaseName} may take ${takes}. Make room on it, then try again.`;
  throw new AppError('disk-full', { message });
}
