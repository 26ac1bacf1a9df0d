import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { momentInWords } from '../../../wording.ts';
import type { FixableFinding } from './fixable-finding.ts';
import { compareBackups, discardBackupRow, type LostBackup } from './reconciliation.repository.ts';

/** What differs between the list of backups and the backup folder. */
export async function findBackups(context: Context): Promise<FixableFinding[]> {
  const before = await compare(context);
  if (before instanceof Error) return [unreadable(before)];
  if (before.length === 0) return [];
  // Backups may be made or deleted between the look into the folder and the one at the list. What does so differs once, and not again.
  const after = await compare(context);
  if (after instanceof Error) return [unreadable(after)];
  const nameOf = ({ kind, subject }: FixableFinding) => `${kind} ${subject}`;
  const known = new Set(before.map(nameOf));
  return after.filter((finding) => known.has(nameOf(finding)));
}

/** Looks into the folder first, so that PostgreSQL answers with what differs, not with all backups. */
async function compare(context: Context): Promise<FixableFinding[] | NodeJS.ErrnoException> {
  const files = await listFiles(context.backupDir).catch((error: NodeJS.ErrnoException) => error);
  // Such as a network's disk that is away: its archives are not gone.
  if (files instanceof Error) return files;
  const archives = files.filter((name) => name.endsWith('.dump'));
  const [named, others] = [archives.filter(isOfBackup), archives.filter((name) => !isOfBackup(name))];
  const differences = await compareBackups(
    context.platform,
    named.map((name) => name.replace('.dump', '')),
  );
  const lost = differences.flatMap((found) => (found.databaseName === null ? [] : [lostArchive(context, found)]));
  const unknown = differences.flatMap(({ id, databaseName }) => (databaseName === null ? [`${id}.dump`] : []));
  return [...lost, ...[...unknown, ...others].sort().map((name) => unknownFile(context, name))];
}

/** Whether a file may be a backup's, whose id it is named after. */
const isOfBackup = (name: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.dump$/.test(name);

const lostArchive = (context: Context, { id, databaseName, createdAt }: LostBackup): FixableFinding => ({
  kind: 'backup-without-file',
  subject: id,
  explanation: `The archive of the backup of ${databaseName} of ${momentInWords(createdAt)} is gone from the backup folder, and no store has a copy of it. The fix takes the backup off the list.`,
  fix: 'forget',
  applyFix: () => discardBackupRow(context.platform, id),
});

const unknownFile = (context: Context, name: string): FixableFinding => ({
  kind: 'file-without-backup',
  subject: name,
  explanation: `The backup folder holds ${name}, which is not on the list. The fix removes the file; to keep it, upload it first.`,
  fix: 'remove-file',
  applyFix: () => rm(join(context.backupDir, name), { force: true }),
});

/** The names of the files in a folder, which is made with the first one. */
const listFiles = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

const unreadable = ({ code }: NodeJS.ErrnoException): FixableFinding => ({
  kind: 'backup-without-file',
  subject: 'backups',
  explanation: `The backup folder cannot be read (${code}), so backups are not compared with their files. Look at it on the server's machine.`,
  fix: 'none',
});
