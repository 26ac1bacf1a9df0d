import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Backup, LeftOutTable } from '@apotheca/contract/backups';
import type { Actor } from '../../../actor.ts';
import { type AuditEvent, appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { damaged, readContents } from './archive/archive.ts';
import { verifyBlocks } from './archive/archive-blocks.ts';
import type { Compression } from './archive/archive-format.ts';
import { findLeftOut } from './archive/archive-left-out.ts';
import { verifySeal } from './archive/archive-seal.ts';
import { archivePath, createDraft, finishDraft, measureFile } from './archive/archive-store.ts';
import { deleteArchiveAndRow, discardBackup, noBackup, tidyArchives } from './backup-deletion.ts';
import {
  type BackupRow,
  findBackup,
  insertBackup,
  isBeingRestored,
  listBackups,
  markDeleting,
  setUploadReady,
} from './backups.repository.ts';

/** How long a plan may wait for the rows of tables that are not restored to be counted, in milliseconds. */
const COUNTING_TIME = 5_000;
/** A larger archive is refused: 64 GiB. */
const MAX_BYTES = 64 * 1024 ** 3;
/** File systems take 255 bytes; a character takes up to 4. */
const MAX_NAME = 50;

/** A file that is sent, with what its receiver is told of it. */
interface SentFile {
  content: Readable;
  name: string;
  sizeBytes: number;
}

/** The backups, newest first. @param databaseName only those of one database; empty: all. @throws AppError not-found */
export async function getBackups(context: Context, databaseName: string | undefined): Promise<Backup[]> {
  const databaseId = databaseName ? (await getDatabaseByName(context, databaseName)).id : undefined;
  return (await listBackups(context.platform, databaseId)).map(toBackup);
}

/** A backup whose archive is whole. @throws AppError not-found */
export async function getBackup({ platform }: Pick<Context, 'platform'>, id: string): Promise<BackupRow> {
  const row = await findBackup(platform, id);
  if (!row) throw noBackup();
  return row;
}

/** A backup as calls answer it. */
export function toBackup({ createdAt, rowCounts, ...backup }: BackupRow): Backup {
  const rows = rowCounts && Object.values(rowCounts).reduce((sum, count) => sum + count, 0);
  return { ...backup, rows, createdOnUtc: createdAt.toISOString() };
}

/** Opens the archive of a backup for whoever asks for it, which is audited. @throws AppError not-found */
export async function openBackup(context: Context, actor: Actor, id: string): Promise<SentFile> {
  const row = await getBackup(context, id);
  const path = archivePath(context, id);
  const sizeBytes = await sizeOf(path, row);
  await context.platform.transaction().execute((trx) => appendAudit(context, trx, eventOf(actor, 'download', row)));
  const moment = row.createdAt.toISOString().slice(0, 16).replaceAll(':', '');
  return {
    content: createReadStream(path),
    name: `${row.databaseName.slice(0, MAX_NAME)} ${moment}.dump`,
    sizeBytes,
  };
}

async function sizeOf(path: string, row: BackupRow): Promise<number> {
  const file = await stat(path).catch(() => undefined);
  if (!file) throw missingArchive(row);
  return file.size;
}

/** The refusal where somebody removed a file from the folder of backups. */
const missingArchive = ({ databaseName }: BackupRow): AppError =>
  new AppError('not-found', {
    message: `The file of this backup of ${databaseName} is missing in the folder of backups.`,
  });

/**
 * Deletes a backup with its archive, for good. Once it is off the list there is no way back: what cannot be removed now is tried again.
 * @returns why its archive is still there, if it is
 * @throws AppError not-found; busy while it is being restored
 */
export async function deleteBackup(context: Context, actor: Actor, id: string): Promise<{ remains?: string }> {
  const row = await getBackup(context, id);
  await context.platform.transaction().execute(async (trx) => {
    // First: a restore that is just being queued waits for it, and then finds no backup.
    if (!(await markDeleting(trx, id))) throw noBackup();
    if (await isBeingRestored(trx, id)) {
      const message = `The backup of ${row.databaseName} is being restored. Please delete it when that has ended.`;
      throw new AppError('busy', { message });
    }
    await appendAudit(context, trx, eventOf(actor, 'delete', row));
  });
  return deleteArchiveAndRow(context, context.platform, id).then(
    () => ({}),
    (error: unknown) => ({ remains: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' }),
  );
}

/** An archive from elsewhere, with what its sender tells of it. */
interface UploadedArchive {
  content: Readable;
  /** What the list is to call it. */
  databaseName: string;
  /** Lower-case hex; empty: not told. */
  sha256: string;
  /** Refuses a sender who may no longer do this by the time that all has come. */
  recheckPermission(): Promise<void>;
}

/**
 * Takes in an archive from elsewhere; only one that can be read from end to end, and of which something tells that it is whole, is kept.
 * @returns the backup, and whether a seal or its sender vouches for every byte: if not, only its rows have checksums
 * @throws AppError damaged-archive; invalid where its SHA-256 is needed
 */
export async function uploadBackup(
  context: Context,
  actor: Actor,
  { content, databaseName, sha256, recheckPermission }: UploadedArchive,
): Promise<{ backup: Backup; isFullyVerified: boolean }> {
  const tools = await context.findTools();
  await tidyArchives(context);
  const id = randomUUID();
  const draft = await createDraft(context, id);
  let isFullyVerified = sha256 !== '';
  try {
    const file = await receive(content, draft);
    await recheckPermission();
    if (file.sizeBytes === 0) throw damaged('The file is empty.');
    refuseWrongDigest(file.sha256, sha256);
    const { isSealed, archiveBytes } = await verifySeal(draft);
    isFullyVerified ||= isSealed;
    const compression = await verifyBlocks(draft, archiveBytes);
    if (!isFullyVerified) refuseWithoutChecksums(compression);
    const { schemaVersion } = await readContents(tools, draft);
    const measured = { sizeBytes: String(file.sizeBytes), sha256: file.sha256, schemaVersion };
    const row = { id, databaseName, ...measured, createdBy: actor.id, createdAt: context.now() };
    await insertBackup(context.platform, { ...row, databaseId: null, origin: 'uploaded', state: 'writing' });
    await finishDraft(context, id);
    await context.platform.transaction().execute(async (trx) => {
      await setUploadReady(trx, id);
      await appendAudit(context, trx, eventOf(actor, 'upload', { id, databaseName, ...file }));
    });
  } catch (error) {
    // What cannot be taken back now is settled later.
    await discardBackup(context, context.platform, id).catch(() => {});
    throw error;
  }
  return { backup: toBackup(await getBackup(context, id)), isFullyVerified };
}

function refuseWrongDigest(actual: string, told: string): void {
  if (told === '' || told === actual) return;
  const message = `The SHA-256 of what has come is ${actual} instead of ${told}: this is another file, or it was damaged on the way.`;
  throw fieldError('damaged-archive', 'sha256', message);
}

/** Only zlib's streams, which pg_dump makes by itself, have a checksum. */
function refuseWithoutChecksums(compression: Compression): void {
  if (compression === 'zlib') return;
  const how = compression === 'none' ? 'not compressed' : 'compressed without a checksum';
  const message = `The rows of this archive are ${how}, so nothing in it tells whether it is damaged: send its SHA-256 along.`;
  throw fieldError('invalid', 'sha256', message);
}

/** What the system says when the folder of backups can hold no more. */
const NO_ROOM: Record<string, string> = { ENOSPC: 'No space left on device', EDQUOT: 'Disk quota exceeded' };

/**
 * Writes an upload into a file as it comes.
 * @throws AppError damaged-archive when the client breaks off, too-large, disk-full
 */
export async function receive(upload: Readable, path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_BYTES) throw new AppError('too-large');
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(upload, measure, createWriteStream(path, { flags: 'r+' })).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') {
      throw damaged('The upload broke off before its end.');
    }
    const reason = NO_ROOM[error.code ?? ''];
    if (!reason) throw error;
    const message = `The folder of backups has no room for this file: ${reason}.`;
    throw new AppError('disk-full', { message }, { cause: error });
  });
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** The tables of a backup that restoring does not load, for its plan. @throws AppError not-found, damaged-archive */
export async function getLeftOut(context: Context, row: BackupRow): Promise<LeftOutTable[]> {
  const path = archivePath(context, row.id);
  await sizeOf(path, row);
  return findLeftOut(path, COUNTING_TIME);
}

/** Reads a backup's archive and holds it against what is known of it. @throws AppError damaged-archive, not-found */
export async function verifyStoredArchive(context: Context, row: BackupRow, signal: AbortSignal): Promise<void> {
  const path = archivePath(context, row.id);
  await sizeOf(path, row);
  const { sha256 } = await measureFile(path, signal);
  if (sha256 === row.sha256) return;
  throw damaged(
    `The stored archive of ${row.databaseName} has been changed: its SHA-256 is ${sha256} instead of ${row.sha256}.`,
  );
}

const eventOf = (
  actor: Actor,
  action: 'delete' | 'download' | 'upload',
  { id, databaseName, sha256 }: Pick<BackupRow, 'id' | 'databaseName' | 'sha256'>,
): AuditEvent => ({
  actor,
  action: `databases.backup-${action}`,
  entity: 'databases',
  entityId: id,
  changes: { databaseName, sha256 },
});
