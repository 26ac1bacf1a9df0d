import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { addFigures, type Figure } from '../../figures.ts';
import { countDatabases, listServers } from './databaseservers.repository.ts';
import { listHealth } from './health.repository.ts';

/** Adds fill and health of the database servers in use to the figures: a retired one may be switched off. While the control database is away there are none. */
export function measureDatabaseServers({ platform }: Pick<Context, 'platform'>, registry: Registry): void {
  const read = async () => {
    const counts = await countDatabases(platform);
    const health = await listHealth(platform);
    const inUse = (await listServers(platform)).filter(({ state }) => state !== 'retired');
    return inUse.map((row) => ({
      ...row,
      counts: counts.get(row.id),
      health: health.get(row.id),
    }));
  };
  type Server = Awaited<ReturnType<typeof read>>[number];
  /** @param figureOf null, undefined: the server has none */
  const ofEach = (help: string, figureOf: (server: Server) => number | null | undefined): Figure<Server[]> => ({
    help,
    labels: ['server'],
    samplesOf: (servers) =>
      servers.flatMap((server) => {
        const value = figureOf(server);
        return value == null ? [] : [{ labels: { server: server.name }, value }];
      }),
  });
  addFigures(registry, read, {
    database_server_up: ofEach(
      '1 while the database server answers, 0 while it is away',
      ({ health }) => health && Number(health.awaySince === null),
    ),
    database_server_tenants: ofEach('Tenants whose database lives on the server', ({ counts }) => counts?.tenants ?? 0),
    // Of one that is drained those that it has: it takes no more, whatever its capacity.
    database_server_capacity: ofEach(
      'Tenants that the server takes; absent: any number',
      ({ state, capacity, counts }) => (state === 'draining' ? (counts?.tenants ?? 0) : capacity),
    ),
    database_server_sessions: ofEach(
      'Sessions of clients on the server, of any of them',
      ({ health }) => health?.sessions,
    ),
    database_server_replication_lag_seconds: ofEach(
      'How far the slowest standby of the server is behind',
      ({ health }) => health?.lagSeconds,
    ),
  });
}
