import { findPostgresTools, type PostgresTools } from './client-programs/postgres-tools.ts';
import { readServerVersion } from './cluster/cluster.ts';
import { type Cluster, HOME_SERVER, pingServer } from './clusters.ts';

/**
 * Finds the client programs for a server that this process works with.
 * @param binDir PG_BIN_DIR @throws as {@link findPostgresTools}, and where the server is away
 */
export async function findServerTools(server: Cluster, binDir?: string): Promise<PostgresTools> {
  const tools = await findPostgresTools(binDir, await readServerVersion(server.platform));
  return server.id === HOME_SERVER ? tools : { ...tools, ask: () => pingServer(server) };
}
