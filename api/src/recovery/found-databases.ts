import type { Context } from '../context.ts';
import { listIntact } from '../db/cluster/cluster.ts';
import { HOME_SERVER } from '../db/clusters.ts';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { reasonOf } from '../db/errors/connection-problems.ts';
import { listRegistered, type RegisteredDatabase } from './recovery.repository.ts';

/** Which databases of the registry their servers have. */
interface FoundDatabases {
  there: RegisteredDatabase[];
  lost: RegisteredDatabase[];
  /** Of servers that cannot be asked. */
  unknown: RegisteredDatabase[];
  /** Why they cannot, a line for each server. */
  problems: string[];
}

/** Asks each server for its databases: another than the home server may have outlived the machine, with newer rows than any backup. */
export async function findDatabases(context: Context, state: 'ready' | 'parked'): Promise<FoundDatabases> {
  const found: FoundDatabases = { there: [], lost: [], unknown: [], problems: [] };
  const byServer = Map.groupBy(await listRegistered(context.platform, state), ({ serverId }) => serverId);
  for (const [serverId, databases] of byServer) {
    try {
      const names = await listNames(context, serverId, databases);
      for (const database of databases) (names.has(database.physicalName) ? found.there : found.lost).push(database);
    } catch (error) {
      if (serverId === HOME_SERVER) throw error;
      found.unknown.push(...databases);
      found.problems.push(describe(databases[0]?.serverName, error));
    }
  }
  return found;
}

function listNames(
  { clusters }: Context,
  serverId: string,
  databases: readonly RegisteredDatabase[],
): Promise<Set<string>> {
  return onBudget(new TimeBudget(), async () => {
    const cluster = await clusters.of(serverId);
    // A server that was made anew gets what databases are restored with.
    await cluster.template();
    return listIntact(
      cluster.platform,
      databases.map(({ physicalName }) => physicalName),
    );
  });
}

function describe(serverName = '', error: unknown): string {
  const reason = reasonOf(error instanceof Error && error.cause ? error.cause : error);
  return `The database server ${serverName} cannot be asked, so nothing there is restored or forgotten: ${reason}`;
}
