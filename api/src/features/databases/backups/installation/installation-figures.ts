import type { Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { addFigures } from '../../../../figures.ts';
import { storeNames } from '../stores/copies.service.ts';
import { type InstallationFigures, listInstallationCopies } from './installation-copies.repository.ts';

/** Adds the age and the failures of the installation's backups to the figures of a server that has stores. */
export function measureInstallationBackups(context: Pick<Context, 'platform' | 'stores'>, registry: Registry): void {
  const stores = storeNames(context);
  if (stores.length === 0) return;
  // Without a recipient none is made any more, so none fails either.
  const written = context.stores.recipients.length > 0 ? stores : [];
  const byStore = (of: readonly string[], help: string, figureOf: (copy: InstallationFigures) => number) => ({
    help,
    labels: ['store'],
    samplesOf(copies: InstallationFigures[]) {
      const known = new Map(copies.map((copy) => [copy.store, figureOf(copy)]));
      return of.map((store) => ({ labels: { store }, value: known.get(store) ?? 0 }));
    },
  });
  addFigures(registry, () => listInstallationCopies(context.platform, stores), {
    installation_backup_timestamp_seconds: byStore(
      stores,
      'When the newest backup of the installation was made, by store; 0: there is none',
      ({ copiedAt }) => copiedAt,
    ),
    installation_backup_failures: byStore(
      written,
      'Failures of the backup of the installation since its last success, by store',
      ({ attempts }) => attempts,
    ),
  });
}
