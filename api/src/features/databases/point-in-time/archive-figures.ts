import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../context.ts';
import { readArchiveState } from './wal-archive.service.ts';

/** Adds figures of the WAL archive to those of a server that has one. While PostgreSQL is away there are none. */
export function measureWalArchive(context: Context, registry: Registry): void {
  if (!context.walArchive) return;
  const waiting = new Gauge({
    name: 'wal_archive_waiting_files',
    help: 'Files of WAL (16 MiB each) that wait to be archived',
    registers: [registry],
  });
  const newest = new Gauge({
    name: 'wal_archive_newest_backup_seconds',
    help: 'When the newest backup of the cluster ended, in seconds since 1970; 0: there is none',
    registers: [registry],
  });
  new Gauge({
    name: 'wal_archive_healthy',
    help: '1 while changes are archived and backups of the cluster are made, 0 when something is wrong',
    registers: [registry],
    async collect() {
      for (const gauge of [this, waiting, newest]) gauge.reset();
      const state = await readArchiveState(context).catch(() => undefined);
      if (!state) return;
      this.set(state.warning === undefined ? 1 : 0);
      waiting.set(state.waiting);
      newest.set((state.newestBackupAt?.getTime() ?? 0) / 1_000);
    },
  });
}
