import { asCluster } from './db/cluster/session.ts';
import { type Cluster, HOME_SERVER, openClusters } from './db/clusters.ts';
import type { PostgresMonitor } from './db/connections/postgres-monitor.ts';
import { STATEMENT_LIMIT } from './db/connections/session-settings.ts';
import {
  DatabaseClosed,
  isDatabaseBusy,
  isDatabaseMissing,
  isNotPermitted,
  postgresMessage,
} from './db/errors/postgres-errors.ts';
import { openQueue } from './db/operation-queue.ts';
import { openPlatform } from './db/platform.ts';
import { connectTenants, openDatabaseConnections } from './db/tenant-connection.ts';
import { listServers } from './features/databaseservers/databaseservers.repository.ts';
import { getServerAddress } from './features/databaseservers/server-address.ts';
import type { Keys } from './secrets.ts';

/** The shares of APOTHECA_MAX_CONNECTIONS; calls have the rest. */
const UTILITY_SHARE = 0.25;
const TENANTS_SHARE = 0.3;

/** Connections of a server process outside of its pools: its presence, and the monitor. */
const SINGLE = 2;

/**
 * Divides the connections that a server process may have among its pools: for calls, for operations, and to tenants' databases.
 * @param maxConnections of this process, as APOTHECA_MAX_CONNECTIONS says
 * @returns what a context has of PostgreSQL
 */
export function openConnections(
  url: string,
  maxConnections: number,
  { pulse, watch }: PostgresMonitor,
  { keys, tenantTemplate, onError }: { keys: Keys; tenantTemplate: string; onError: (error: unknown) => void },
) {
  const forUtility = Math.floor(maxConnections * UTILITY_SHARE);
  const forTenants = Math.floor(maxConnections * TENANTS_SHARE);
  const { pool, platform } = openPlatform({
    url,
    maxConnections: maxConnections - forUtility - forTenants - SINGLE,
    limits: { pulse, limit: STATEMENT_LIMIT },
    explain: explainClosed,
  });
  const watched = { pulse, watch };
  const { platform: utility, pool: utilityPool } = openPlatform({
    url,
    maxConnections: forUtility,
    kind: 'operation',
    limits: watched,
    explain: explainClosed,
  });
  const home: Cluster = {
    id: HOME_SERVER,
    url,
    platform: asCluster(platform),
    utility: asCluster(utility),
    connections: openDatabaseConnections(url, forTenants, watched, asCluster(platform)),
    limits: watched,
    template: async () => tenantTemplate,
  };
  const clusters = openClusters({
    home,
    find: (id) => getServerAddress({ platform, keys }, id),
    list: () => listServers(platform),
    onError,
    most: { utility: forUtility, tenants: forTenants },
  });
  return {
    pool,
    platform,
    utility,
    utilityPool,
    clusters,
    tenants: connectTenants(clusters),
    queue: openQueue(pool, onError),
  };
}

/** A tenant's database that is gone or closed is that tenant's trouble. Without the control database nothing goes on. */
function explainClosed(error: unknown, isConnecting = false): unknown {
  const isClosed = isDatabaseMissing(error) || isDatabaseBusy(error) || isNotPermitted(error);
  return isConnecting && isClosed ? new DatabaseClosed(postgresMessage(error), { cause: error }) : error;
}
