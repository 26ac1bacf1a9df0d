import type { Context } from '../../../context.ts';
import type { Platform } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { attemptEach } from '../attempt-each.ts';
import { removeAbandonedArchives, removeArchive } from './archive/archive-store.ts';
import { deleteBackupRow, listBackupIds, listDiscardedBackups, markDeleting } from './backups.repository.ts';

/** A backup that nobody has finished for so long is nobody's, in milliseconds. */
const ABANDONED_AFTER = 3_600_000;

/**
 * Removes the archive of a backup that is marked as being deleted, then its row: a kill between the two leaves what
 * {@link settleBackups} goes on with.
 * @throws what the system says when the archive cannot be removed; the row stays
 */
export async function deleteArchiveAndRow(context: Context, connection: Platform, id: string): Promise<void> {
  await removeArchive(context, id);
  await deleteBackupRow(connection, id);
}

/** Takes back a backup that was not finished. @throws as {@link deleteArchiveAndRow} */
export async function discardBackup(context: Context, connection: Platform, id: string): Promise<void> {
  await markDeleting(connection, id);
  await deleteArchiveAndRow(context, connection, id);
}

/**
 * Goes on with deletions that could not be finished, and takes back backups that a crash left half-made.
 * @throws AggregateError when some archives cannot be removed still; the others are
 */
export async function settleBackups(context: Context): Promise<void> {
  await tidyArchives(context);
  const before = new Date(context.now().getTime() - ABANDONED_AFTER);
  await attemptEach(
    await listDiscardedBackups(context.platform, before),
    (id) => discardBackup(context, context.platform, id),
    'archives could not be removed',
  );
}

/** Removes unfinished files that a crash left in the folder of backups. */
export async function tidyArchives(context: Context): Promise<void> {
  await removeAbandonedArchives(context, new Set(await listBackupIds(context.platform)));
}

/** The refusal of a backup that is not there. */
export const noBackup = (): AppError => new AppError('not-found', { message: 'There is no such backup.' });
