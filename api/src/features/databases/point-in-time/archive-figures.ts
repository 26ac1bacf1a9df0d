import type { Registry } from 'prom-client';
import type { Context } from '../../../context.ts';
import { addFigures } from '../../../figures.ts';
import { readArchiveState } from './wal-archive.service.ts';

/** Adds figures of the WAL archive to those of a server that has one. */
export function measureWalArchive(context: Context, registry: Registry): void {
  if (!context.walArchive) return;
  addFigures(registry, () => readArchiveState(context), {
    wal_archive_waiting_files: {
      help: 'Files of WAL (16 MiB each) that wait to be archived',
      samplesOf: ({ waiting }) => [{ value: waiting }],
    },
    wal_archive_newest_backup_seconds: {
      help: 'When the newest backup of the cluster ended, in seconds since 1970; 0: there is none',
      samplesOf: ({ newestBackupAt }) => [{ value: (newestBackupAt?.getTime() ?? 0) / 1_000 }],
    },
    wal_archive_healthy: {
      help: '1 while changes are archived and backups of the cluster are made, 0 when something is wrong',
      samplesOf: ({ warning }) => [{ value: warning === undefined ? 1 : 0 }],
    },
  });
}
