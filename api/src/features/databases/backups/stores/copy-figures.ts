import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { countCopiesByState } from './copies.repository.ts';

/** Adds the number of copies by state to the figures of a server that has stores. While PostgreSQL is away there are none. */
export function measureCopies({ platform, stores }: Pick<Context, 'platform' | 'stores'>, registry: Registry): void {
  if (stores.places.length === 0) return;
  new Gauge({
    name: 'backup_copies',
    help: 'Copies of backups in stores, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await countCopiesByState(platform).catch(() => []);
      for (const { state, count } of counts) this.set({ state }, count);
    },
  });
}
