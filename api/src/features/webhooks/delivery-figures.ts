import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { addFigures } from '../../figures.ts';
import { countDeliveries } from './deliveries.repository.ts';

/** Adds how the deliveries to webhooks stand to the figures. */
export function measureDeliveries({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  addFigures(registry, () => countDeliveries(platform, now()), {
    webhook_deliveries: {
      help: 'Events that wait to be delivered to an active webhook (pending), or were given up in the last 30 days (failed)',
      labels: ['state'],
      samplesOf: ({ pending, failed }) => [
        { labels: { state: 'pending' }, value: pending },
        { labels: { state: 'failed' }, value: failed },
      ],
    },
    webhook_oldest_pending_seconds: {
      help: 'How long ago the oldest event happened that waits to be delivered to an active webhook; 0: none waits',
      samplesOf: ({ oldestSeconds }) => [{ value: oldestSeconds }],
    },
  });
}
