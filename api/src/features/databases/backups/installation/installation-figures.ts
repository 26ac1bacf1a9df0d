import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { storeNames } from '../stores/copies.service.ts';
import { type InstallationFigures, listInstallationCopies } from './installation-copies.repository.ts';

/**
 * Adds the age and the failures of the installation's backups to the figures of a server that has stores. Where there is none, as without a
 * recipient, its moment is 0. While PostgreSQL is away there are no figures.
 */
export function measureInstallationBackups(context: Pick<Context, 'platform' | 'stores'>, registry: Registry): void {
  const stores = storeNames(context);
  if (stores.length === 0) return;
  const read = () => listInstallationCopies(context.platform, stores).catch(() => undefined);
  const addGauge = (name: string, help: string, figureOf: (copy: InstallationFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['store'],
      registers: [registry],
      async collect() {
        this.reset();
        const copies = await read();
        if (!copies) return;
        const known = new Map(copies.map((copy) => [copy.store, figureOf(copy)]));
        for (const store of stores) this.set({ store }, known.get(store) ?? 0);
      },
    });
  addGauge(
    'installation_backup_timestamp_seconds',
    'When the newest backup of the installation was made, by store; 0: there is none',
    ({ copiedAt }) => copiedAt,
  );
  addGauge(
    'installation_backup_failures',
    'Failures of the backup of the installation since its last success, by store',
    ({ attempts }) => attempts,
  );
}
