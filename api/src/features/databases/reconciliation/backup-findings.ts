import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { momentInWords } from '../../../wording.ts';
import type { FixableFinding } from './fixable-finding.ts';
import { discardBackupRow, listBackupRows } from './reconciliation.repository.ts';

/** What differs between the list of backups and the backup folder. */
export async function findBackups(context: Context): Promise<FixableFinding[]> {
  // Backups may be made or deleted meanwhile. So a backup must have a file only if both lists have it, and a file is unknown only if
  // neither list has it.
  const before = await listBackupRows(context.platform);
  const files = await listFiles(context.backupDir).catch((error: NodeJS.ErrnoException) => error);
  // Such as a network's disk that is away: its archives are not gone.
  if (files instanceof Error) return [unreadable(files)];
  const after = await listBackupRows(context.platform);
  const fileOf = ({ id }: { id: string }) => `${id}.dump`;
  const known = new Set([...before, ...after].map(fileOf));
  const remaining = new Set(after.map(fileOf));
  const lost = before.filter(
    (backup) =>
      backup.state === 'ready' && !backup.hasCopy && remaining.has(fileOf(backup)) && !files.has(fileOf(backup)),
  );
  const unknown = [...files].filter((name) => name.endsWith('.dump') && !known.has(name)).sort();
  return [
    ...lost.map(
      ({ id, databaseName, createdAt }): FixableFinding => ({
        kind: 'backup-without-file',
        subject: id,
        explanation: `The archive of the backup of ${databaseName} of ${momentInWords(createdAt)} is gone from the backup folder. The fix takes the backup off the list.`,
        fix: 'forget',
        applyFix: () => discardBackupRow(context.platform, id),
      }),
    ),
    ...unknown.map(
      (name): FixableFinding => ({
        kind: 'file-without-backup',
        subject: name,
        explanation: `The backup folder holds ${name}, which is not on the list. The fix removes the file; to keep it, upload it first.`,
        fix: 'remove-file',
        applyFix: () => rm(join(context.backupDir, name), { force: true }),
      }),
    ),
  ];
}

/** The names of the files in a folder, which is made with the first one. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return new Set(names);
}

const unreadable = ({ code }: NodeJS.ErrnoException): FixableFinding => ({
  kind: 'backup-without-file',
  subject: 'backups',
  explanation: `The backup folder cannot be read (${code}), so backups are not compared with their files. Look at it on the server's machine.`,
  fix: 'none',
});
