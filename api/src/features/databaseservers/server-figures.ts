import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { countDatabases, listServers } from './databaseservers.repository.ts';
import { listHealth } from './health.repository.ts';

/** Adds fill and health of the database servers to the figures. While the control database is away there are none. */
export function measureDatabaseServers({ platform }: Pick<Context, 'platform'>, registry: Registry): void {
  const read = async () => {
    const counts = await countDatabases(platform);
    const health = await listHealth(platform);
    return (await listServers(platform)).map((row) => ({
      ...row,
      counts: counts.get(row.id),
      health: health.get(row.id),
    }));
  };
  type Server = Awaited<ReturnType<typeof read>>[number];
  const add = (name: string, help: string, figureOf: (server: Server) => number | null | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['server'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const server of await read().catch(() => [])) {
          const value = figureOf(server);
          if (value != null) this.set({ server: server.name }, value);
        }
      },
    });
  add(
    'database_server_up',
    '1 while the database server answers, 0 while it is away',
    ({ health }) => health && Number(health.awaySince === null),
  );
  add('database_server_tenants', 'Tenants whose database lives on the server', ({ counts }) => counts?.tenants ?? 0);
  add('database_server_capacity', 'Tenants that the server takes; absent: any number', ({ capacity }) => capacity);
  add(
    'database_server_sessions',
    'Sessions of clients on the server, of any of them',
    ({ health }) => health?.sessions,
  );
  add(
    'database_server_replication_lag_seconds',
    'How far the slowest standby of the server is behind',
    ({ health }) => health?.lagSeconds,
  );
}
