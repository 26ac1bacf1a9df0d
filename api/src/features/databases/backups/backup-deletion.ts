import type { Context } from '../../../context.ts';
import type { Platform } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { attemptEach } from '../attempt-each.ts';
import {
  ABANDONED_AFTER,
  listArchives,
  removeAbandonedArchives,
  removeArchive,
  removeDraft,
} from './archive/archive-store.ts';
import {
  deleteBackupRow,
  findBackup,
  findBackupIds,
  listDiscardedBackups,
  listUnfinished,
  markDeleting,
  markUnfinished,
} from './backups.repository.ts';
import { discardCopies } from './stores/copies.repository.ts';

/**
 * Removes the archive of a backup in state 'deleting', then its row, which stays while a store has a copy: {@link settleBackups} finishes
 * that, and what a kill left.
 * @throws the system's error when the archive cannot be removed
 */
export async function deleteArchiveAndRow(context: Context, connection: Platform, id: string): Promise<void> {
  await removeArchive(context, id);
  await deleteBackupRow(connection, id);
}

/** Deletes an unfinished backup. @throws as {@link deleteArchiveAndRow} */
export async function discardBackup(context: Context, connection: Platform, id: string): Promise<void> {
  await markDeleting(connection, id);
  await discardCopies(connection, id);
  await deleteArchiveAndRow(context, connection, id);
}

/**
 * Deletes an upload that has failed, unless it is ready all the same, as the answer of its COMMIT was lost.
 * @returns whether it is ready
 * @throws as {@link deleteArchiveAndRow}
 */
export async function discardUpload(context: Context, id: string): Promise<boolean> {
  const { platform } = context;
  // Without PostgreSQL, which may be away: a draft that stays is touched until this process ends. What is ready has none.
  await removeDraft(context, id);
  // Marked before its row is read: that waits for a COMMIT which is still under way.
  await markUnfinished(platform, id);
  if (await findBackup(platform, id)) return true;
  await discardBackup(context, platform, id);
  return false;
}

/**
 * Finishes deletions that failed, were interrupted or waited for copies to be removed, and deletes unfinished backups that a crash left.
 * Nothing is asked of those that only wait for their copies: a store that is away for a week has
 * thousands of them.
 * @param stopping aborted: no further deletion begins
 * @throws AggregateError when some archives still cannot be removed; the others are removed
 */
export async function settleBackups(context: Context, stopping?: AbortSignal): Promise<void> {
  await tidyArchives(context);
  await markAbandoned(context);
  const discarded = await listDiscardedBackups(context.platform);
  const archives = discarded.some(({ hasOnlyCopies }) => hasOnlyCopies) ? await listArchives(context) : undefined;
  await attemptEach(
    discarded.filter(({ id, hasOnlyCopies }) => !hasOnlyCopies || archives?.has(id)),
    async ({ id }) => {
      if (!stopping?.aborted) await discardBackup(context, context.platform, id);
    },
    'archives could not be removed',
  );
}

/** Since when this process has seen unfinished backups that no operation is writing, by a clock that nobody sets. */
let unfinishedSince = new Map<string, number>();

/**
 * Begins the deletion of unfinished backups that a crash left: this process has seen them for an hour. It goes by no clock that is set, as
 * {@link removeAbandonedArchives} does: another machine's, whose process is keeping an upload, may be hours ahead or behind.
 */
async function markAbandoned({ platform }: Context): Promise<void> {
  const now = performance.now();
  const ids = await listUnfinished(platform);
  unfinishedSince = new Map(ids.map((id) => [id, unfinishedSince.get(id) ?? now]));
  for (const [id, since] of unfinishedSince) {
    if (now - since > ABANDONED_AFTER) await markUnfinished(platform, id);
  }
}

/** Removes unfinished files that a crash left in the folder of backups. */
export async function tidyArchives(context: Context): Promise<void> {
  await removeAbandonedArchives(context, (ids) => findBackupIds(context.platform, ids));
}

/** The error for a backup that does not exist. */
export const noBackup = (): AppError => new AppError('not-found', { message: 'There is no such backup.' });
