import type { Registry } from 'prom-client';
import type { Context } from '../../../context.ts';
import { addFigures } from '../../../figures.ts';
import { type BackupAges, QUANTILES, readBackupAges } from './backup-ages.repository.ts';

/**
 * Adds how old the newest backups of databases are, by what their schedule promises: a label for each database would be too many
 * for Prometheus.
 */
export function measureBackupAges({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  const quantiles = (help: string, agesOf: (ages: BackupAges) => readonly number[] | null) => ({
    help,
    labels: ['schedule', 'quantile'],
    samplesOf: (all: BackupAges[]) =>
      all.flatMap((ages) =>
        (agesOf(ages) ?? []).map((value, place) => ({
          labels: { schedule: ages.schedule, quantile: String(QUANTILES[place]) },
          value,
        })),
      ),
  });
  addFigures(registry, () => readBackupAges(platform, now()), {
    backup_databases: {
      help: 'Databases by their schedule of backups, and whether they have a backup and one that was proved',
      labels: ['schedule', 'backup'],
      samplesOf: (all) =>
        all.flatMap(({ schedule, none, unproved, proved }) => [
          { labels: { schedule, backup: 'none' }, value: none },
          { labels: { schedule, backup: 'unproved' }, value: unproved },
          { labels: { schedule, backup: 'proved' }, value: proved },
        ]),
    },
    backup_age_seconds: quantiles(
      'Age of the newest backup of each database that has one, by its schedule of backups: of the middle one, of 9 in 10, of all',
      ({ ages }) => ages,
    ),
    backup_proved_age_seconds: quantiles(
      'Age of the newest backup of each database that was proved to be restorable, or of a database whose backups all were not, as backup_age_seconds',
      ({ provedAges }) => provedAges,
    ),
  });
}
