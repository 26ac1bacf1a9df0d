import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import type { FixableFinding } from './fixable-finding.ts';
import { discardBackupRow, listBackupRows } from './reconciliation.repository.ts';

/** What differs between the list of backups and the backup folder. */
export async function findBackups(context: Context): Promise<FixableFinding[]> {
  // Backups may be made or deleted meanwhile. So a backup must have a file only if both lists have it, and a file is unknown only if
  // neither list has it.
  const before = await listBackupRows(context.platform);
  const files = new Set(await readdir(context.backupDir).catch(() => []));
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
      ({ id, databaseName }): FixableFinding => ({
        kind: 'backup-without-file',
        subject: id,
        explanation: `The archive of a backup of ${databaseName} is gone from the backup folder. The fix takes the backup off the list.`,
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
