import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Backup, LeftOutObject } from '@apotheca/contract/backups';
import { type Actor, SERVER_ACTOR } from '../../../actor.ts';
import { type AuditEvent, appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { whenEmpty } from '../../../db/json-list.ts';
import { AppError } from '../../../errors.ts';
import { inWords } from '../../../wording.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { readContents } from './archive/archive.ts';
import { verifyBlocks } from './archive/archive-blocks.ts';
import { findArchiveLength } from './archive/archive-seal.ts';
import { archivePath, createDraft, finishDraft, measureFile } from './archive/archive-store.ts';
import { damaged, tablesOf } from './archive/damaged-archive.ts';
import { receiveArchive, type SentArchive } from './archive-upload.ts';
import { deleteArchiveAndRow, discardUpload, noBackup, tidyArchives } from './backup-deletion.ts';
import { backupsList } from './backup-list.repository.ts';
import {
  type BackupRow,
  findBackup,
  findBackupIds,
  findReader,
  insertBackup,
  markDeleting,
  markUnfinished,
  setUploadReady,
} from './backups.repository.ts';
import { readRestoreContents } from './restore-contents.ts';
import { discardCopies } from './stores/copies.repository.ts';
import { fetchBack, findArchive, isUnusable, planCopies, refuseLost } from './stores/copies.service.ts';

/** How long a plan may count the rows of tables that are not restored, in milliseconds. */
const COUNTING_TIME = 5_000;
/** The most characters of a database's name in a file name: file systems allow 255 bytes, and a character takes up to 4. */
const MAX_NAME = 50;

/** A file to download. */
interface Download {
  content: Readable;
  name: string;
  sizeBytes: number;
}

/** The backups that a call asks for, newest first. not-found if there is no such database, or no backup to list those before. */
export const listBackups = (context: Context) =>
  whenEmpty(backupsList, ['databases', 'backups'], async ({ databaseName, before }) => {
    if (databaseName) await getDatabaseByName(context, databaseName);
    if (before && (await findBackupIds(context.platform, [before])).length === 0) throw noBackup();
  });

/** A ready backup. @throws AppError not-found */
export async function getBackup({ platform }: Pick<Context, 'platform'>, id: string): Promise<BackupRow> {
  const row = await findBackup(platform, id);
  if (!row) throw noBackup();
  return row;
}

/** A backup in the shape of the contract. */
export function toBackup({ createdAt, rowCounts, ...backup }: BackupRow): Backup {
  const rows = rowCounts && Object.values(rowCounts).reduce((sum, count) => sum + count, 0);
  return { ...backup, rows, createdOnUtc: createdAt.toISOString() };
}

/**
 * Opens the archive of a backup for a download, which is audited.
 * @param signal ends the fetch of one that is gone from the folder of backups
 * @throws AppError not-found, damaged-archive
 */
export async function openBackup(context: Context, actor: Actor, id: string, signal: AbortSignal): Promise<Download> {
  const row = await getBackup(context, id);
  const path = archivePath(context, id);
  const sizeBytes = await findArchive(context, row, signal);
  await context.platform.transaction().execute((trx) => appendAudit(context, trx, eventOf(actor, 'download', row)));
  const moment = row.createdAt.toISOString().slice(0, 16).replaceAll(':', '');
  return {
    content: createReadStream(path),
    name: `${row.databaseName.slice(0, MAX_NAME)} ${moment}.dump`,
    sizeBytes,
  };
}

/**
 * Deletes a backup with its archive and its copies, for good. When the archive cannot be removed now, {@link settleBackups} tries again.
 * Copies are removed in the background.
 * @param reason why the server itself deletes it
 * @returns the code of the system's error when the archive could not be removed, and how many copies are to be removed
 * @throws AppError not-found; busy while the backup is being restored or proved
 */
export async function deleteBackup(
  context: Context,
  actor: Actor,
  id: string,
  reason?: string,
): Promise<{ failure?: string; copies: number }> {
  const row = await getBackup(context, id);
  const copies = await context.platform.transaction().execute(async (trx) => {
    // Marked first: a restore that is being queued waits for this row, and then finds no backup.
    if (!(await markDeleting(trx, id))) throw noBackup();
    const reader = await findReader(trx, id);
    if (reader) {
      const done = context.kinds.get(reader)?.participle ?? 'read';
      const message = `The backup of ${row.databaseName} is being ${done}. Please delete it when that has ended.`;
      throw new AppError('busy', { message });
    }
    const event = eventOf(actor, 'delete', row);
    await appendAudit(context, trx, { ...event, changes: { ...event.changes, ...(reason && { reason }) } });
    return discardCopies(trx, id);
  });
  return deleteArchiveAndRow(context, context.platform, id).then(
    () => ({ copies }),
    (error: unknown) => ({
      copies,
      failure: error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
    }),
  );
}

/**
 * Makes a backup of an archive from elsewhere. The archive must be readable from start to end, and its seal, the call's SHA-256 or its
 * own checksums must prove that it is undamaged.
 * @returns the backup, and whether a seal or a SHA-256 covers every byte. If not, only the rows were verified, by their checksums.
 * @throws AppError damaged-archive; invalid when the call needs a SHA-256; conflict when it was discarded meanwhile
 */
export async function uploadBackup(
  context: Context,
  actor: Actor,
  { databaseName, ...sent }: SentArchive & { databaseName: string },
): Promise<{ backup: Backup; isFullyVerified: boolean }> {
  const tools = await context.findTools();
  await tidyArchives(context);
  const id = randomUUID();
  const draft = await createDraft(context, id);
  let isFullyVerified = false;
  try {
    const { file, manifest, ...verified } = await receiveArchive(sent, draft);
    ({ isFullyVerified } = verified);
    const { schemaVersion } = await readContents(tools, draft);
    const measured = {
      sizeBytes: String(file.sizeBytes),
      sha256: file.sha256,
      schemaVersion,
      manifest: manifest && JSON.stringify(manifest),
    };
    const row = { id, databaseName, ...measured, createdBy: actor.id, createdAt: context.now() };
    await insertBackup(context.platform, { ...row, databaseId: null, origin: 'uploaded', state: 'writing' });
    await finishDraft(context, id).catch(async (error: NodeJS.ErrnoException) => {
      // Without the folder, there is no draft either.
      throw error.code === 'ENOENT' && !(await markUnfinished(context.platform, id)) ? discarded() : error;
    });
    await context.platform.transaction().execute(async (trx) => {
      if (!(await setUploadReady(trx, id))) throw discarded();
      await planCopies(trx, context, id);
      await appendAudit(context, trx, eventOf(actor, 'upload', { id, databaseName, ...file }));
    });
  } catch (error) {
    // When this fails, settleBackups does it later.
    const isReady = await discardUpload(context, id).catch(() => false);
    if (!isReady) throw error;
  }
  return { backup: toBackup(await getBackup(context, id)), isFullyVerified };
}

/** The error for an upload that {@link settleBackups} has taken for one that a crash left. */
const discarded = () =>
  new AppError('conflict', { message: 'The upload was taken for one that had broken off. Please send it again.' });

/**
 * What of a backup is not restored, for the plan. Of a backup that was made here the archive is not read.
 * @param serverId the server that it is restored on
 * @param limit how long it may count rows, in milliseconds
 * @throws AppError not-found, damaged-archive
 */
export async function getLeftOut(
  context: Context,
  row: BackupRow,
  { serverId, limit = COUNTING_TIME, signal }: { serverId: string; limit?: number; signal?: AbortSignal },
): Promise<LeftOutObject[]> {
  await refuseLost(context, row);
  const server = await context.clusters.of(serverId);
  return (await readRestoreContents(context, row, server, { limit, signal })).leftOut;
}

/**
 * Compares a backup's archive with its SHA-256 in the list; a damaged one is replaced from a store that has it whole.
 * @throws AppError damaged-archive where no store has one; not-found; store-away where one may have it that cannot be read now
 */
export async function verifyStoredArchive(context: Context, row: BackupRow, signal: AbortSignal): Promise<void> {
  await findArchive(context, row, signal);
  const { sha256 } = await measureFile(archivePath(context, row.id), signal);
  if (sha256 === row.sha256) return;
  if (await isFetchedBack(context, row, signal)) return;
  const message = `The stored archive of ${row.databaseName} has been changed: its SHA-256 is ${sha256} instead of ${row.sha256}.`;
  const tables = await findDamagedTables(archivePath(context, row.id));
  throw damaged(tables.length > 0 ? `${message} The rows of ${inWords(tables)} are damaged.` : message, tables);
}

/**
 * Whether a store had the archive that is damaged here. That it was damaged is audited, as its disk may damage others.
 * @throws what keeps it from being fetched now, such as a store that is away or a full disk: that says nothing of the backup
 */
async function isFetchedBack(context: Context, row: BackupRow, signal: AbortSignal): Promise<boolean> {
  try {
    await fetchBack(context, row, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isUnusable(error)) throw error;
    return false;
  }
  const event = eventOf(SERVER_ACTOR, 'damaged', row);
  await context.platform.transaction().execute((trx) => appendAudit(context, trx, event));
  return true;
}

/** The first table whose rows are damaged in an archive that has been changed; none where the change is elsewhere. */
async function findDamagedTables(path: string): Promise<string[]> {
  const length = await findArchiveLength(path);
  const damage = await verifyBlocks(path, length ?? (await stat(path)).size).catch((error: unknown) => error);
  return damage instanceof AppError ? tablesOf(damage) : [];
}

const eventOf = (
  actor: Actor,
  action: 'damaged' | 'delete' | 'download' | 'upload',
  { id, databaseName, sha256 }: Pick<BackupRow, 'id' | 'databaseName' | 'sha256'>,
): AuditEvent => ({
  actor,
  action: `databases.backup-${action}`,
  entity: 'databases',
  entityId: id,
  changes: { databaseName, sha256 },
});
