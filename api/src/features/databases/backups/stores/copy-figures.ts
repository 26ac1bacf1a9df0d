import type { Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { addFigures } from '../../../../figures.ts';
import { countCopiesByState } from './copies.repository.ts';

/** Adds the number of copies by state to the figures of a server that has stores. */
export function measureCopies({ platform, stores }: Pick<Context, 'platform' | 'stores'>, registry: Registry): void {
  if (stores.places.length === 0) return;
  addFigures(registry, () => countCopiesByState(platform), {
    backup_copies: {
      help: 'Copies of backups in stores, by state',
      labels: ['state'],
      samplesOf: (counts) => counts.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
  });
}
