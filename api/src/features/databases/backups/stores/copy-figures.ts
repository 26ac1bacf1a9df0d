import type { Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { addFigures } from '../../../../figures.ts';
import { countCopiesByState } from './copies.repository.ts';
import { storeNames } from './copies.service.ts';

/** Adds the number of copies by state to the figures of a server that has stores: those of its stores, as no others are written to. */
export function measureCopies(context: Pick<Context, 'platform' | 'stores'>, registry: Registry): void {
  const stores = storeNames(context);
  if (stores.length === 0) return;
  addFigures(registry, () => countCopiesByState(context.platform, stores), {
    backup_copies: {
      help: 'Copies of backups in stores, by state',
      labels: ['state'],
      samplesOf: (counts) => counts.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
  });
}
