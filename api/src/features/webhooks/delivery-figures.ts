import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { countDeliveries } from './deliveries.repository.ts';

/** Adds how the deliveries to webhooks stand to the figures. While PostgreSQL is away there are none. */
export function measureDeliveries({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  const read = () => countDeliveries(platform, now()).catch(() => undefined);
  new Gauge({
    name: 'webhook_deliveries',
    help: 'Events that wait to be delivered to an active webhook (pending), or were given up in the last 30 days (failed)',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counted = await read();
      if (!counted) return;
      this.set({ state: 'pending' }, counted.pending);
      this.set({ state: 'failed' }, counted.failed);
    },
  });
  new Gauge({
    name: 'webhook_oldest_pending_seconds',
    help: 'How long ago the oldest event happened that waits to be delivered to an active webhook; 0: none waits',
    registers: [registry],
    async collect() {
      this.remove();
      const counted = await read();
      if (counted) this.set(counted.oldestSeconds);
    },
  });
}
