import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../context.ts';

/** How the connections of one pool are used. */
interface Usage {
  most: number;
  inUse: number;
  /** Open, and used by nobody. Those to tenants' databases are closed instead. */
  idle: number;
  /** Calls and operations that wait for a connection. */
  waiting: number;
}

/** Adds how this process uses its connections to PostgreSQL to the figures. It asks nobody. */
export function measurePools(context: Pick<Context, 'pool' | 'utilityPool' | 'tenants'>, registry: Registry): void {
  const usages = (): Record<string, Usage> => ({
    calls: usageOf(context.pool),
    operations: usageOf(context.utilityPool),
    tenants: { ...context.tenants.usage(), idle: 0 },
  });
  const addGauge = (name: string, help: string, figureOf: (usage: Usage) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, usage] of Object.entries(usages())) this.set({ pool }, figureOf(usage));
      },
    });
  addGauge('pool_connections_most', 'How many connections to PostgreSQL a pool may have', ({ most }) => most);
  addGauge('pool_connections_in_use', 'Connections of a pool that are in use', ({ inUse }) => inUse);
  addGauge('pool_connections_idle', 'Connections of a pool that are open and not in use', ({ idle }) => idle);
  addGauge('pool_waiting', 'How much work waits for a connection of a pool', ({ waiting }) => waiting);
}

const usageOf = ({ options, totalCount, idleCount, waitingCount }: Context['pool']): Usage => ({
  most: options.max,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
