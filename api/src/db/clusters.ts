import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { asCluster, atHome, type ClusterSession, type Sessions } from './cluster/session.ts';
import type { StatementLimits } from './connections/limited-waits.ts';
import { openPostgresMonitor } from './connections/postgres-monitor.ts';
import { currentBudget, onBudget, TimeBudget } from './connections/time-budget.ts';
import { Pulse } from './connections/watch.ts';
import { reasonOf } from './errors/connection-problems.ts';
import {
  isDatabaseAway,
  isDatabaseMissing,
  isLoginRefused,
  isOverloaded,
  isReported,
} from './errors/postgres-errors.ts';
import { ensureTenantTemplate, prepareServer } from './migrate.ts';
import { openPlatform, type Platform } from './platform.ts';
import { type DatabaseConnections, openDatabaseConnections } from './tenant-connection.ts';

/** The record of the server that has the control database (migration 000058). It needs no address: DATABASE_URL is. */
export const HOME_SERVER = '00000000-0000-4000-8000-000000000001';

/** How long another server may be silent before a call that needs it is refused, in milliseconds. */
const SILENCE = 2_500;

/** A PostgreSQL server that tenants' databases live on. */
export interface Cluster {
  readonly id: string;
  /** Connection string of the administrator; never leaves this process. */
  readonly url: string;
  /** For short statements. */
  readonly platform: ClusterSession;
  /** For utility commands, which may take long. */
  readonly utility: ClusterSession;
  /** Connections to its databases. */
  readonly connections: DatabaseConnections;
  /** Of the statements of a session that belongs to none of these. */
  readonly limits: StatementLimits;
  /** Physical name of the database that tenants' databases are copied from. It is made where it is missing. */
  template(): Promise<string>;
}

/** All servers that this process works with. Another server than the control database's own is opened when it is first asked for. */
export interface Clusters {
  readonly home: Cluster;
  /** @throws AppError conflict for a server without a record, or whose credentials cannot be read */
  of(serverId: string): Promise<Cluster>;
  /** All servers that have a record. The connections to others are closed. */
  list(): Promise<Named[]>;
  /** Is told why a server is left out that is not away. */
  onError(error: unknown): void;
  close(): Promise<void>;
}

type Named = Pick<ServerAddress, 'id' | 'name'>;

/** How often it is looked for servers whose record is gone, and for connections that can be closed, in milliseconds. */
const LOOK = 30_000;

/** How another server is reached. */
export interface ServerAddress {
  id: string;
  name: string;
  url: string;
}

interface ClusterOptions {
  home: Cluster;
  /** Looks a server up. @throws AppError conflict */
  find(serverId: string): Promise<ServerAddress>;
  list(): Promise<Named[]>;
  onError(error: unknown): void;
  /** Most connections to each other server: for statements and utility commands, and for tenants' databases. */
  most: { utility: number; tenants: number };
}

/** @returns the servers; those beside the home one are opened, and opened anew, as their records say */
export function openClusters({ home, find, list, onError, most }: ClusterOptions): Clusters {
  const others = new Map<string, OpenCluster>();
  /** Those whose record is gone or has another address. What is going on over their connections ends by itself. */
  const left = new Set<OpenCluster>();
  const leave = (server: OpenCluster) => {
    left.add(server);
    if (server.isInUse()) return;
    left.delete(server);
    void server.close();
  };
  async function listKnown(): Promise<Named[]> {
    left.forEach(leave);
    // One that is made and opened meanwhile is not among those that are listed.
    const open = [...others];
    const known = await list();
    for (const [id, server] of open) {
      if (known.some((each) => each.id === id) || others.get(id) !== server) continue;
      others.delete(id);
      leave(server);
    }
    return known;
  }
  // Otherwise a deleted server would be asked for a sign of life as long as this process runs.
  const look = setInterval(() => void (others.size + left.size > 0 && listKnown().catch(() => {})), LOOK).unref();
  return {
    home,
    list: listKnown,
    onError,
    async of(serverId) {
      if (serverId === HOME_SERVER) return home;
      const address = await find(serverId);
      const open = others.get(serverId);
      if (open?.cluster.url === address.url) {
        open.rename(address.name);
        return open.cluster;
      }
      if (open) leave(open);
      const opened = openCluster(address, most);
      others.set(serverId, opened);
      return opened.cluster;
    },
    async close() {
      clearInterval(look);
      await Promise.all([...others.values(), ...left].map(({ close }) => close()));
    },
  };
}

interface OpenCluster {
  cluster: Cluster;
  /** It has another name in what is said of it. */
  rename(name: string): void;
  /** Whether something is going on over its connections. */
  isInUse(): boolean;
  /** The links of what is still going on count as lost soon afterwards. */
  close(): Promise<void>;
}

function openCluster({ id, name, url }: ServerAddress, most: ClusterOptions['most']): OpenCluster {
  let shownName = name;
  const explain = (error: unknown, isConnecting = false) => {
    if (isOverloaded(error) || isServerAway(error)) return error;
    // One that refuses its administrator, as with another password, is of no more use than one that is silent.
    const isRefused = isLoginRefused(error) || (isConnecting && isReported(error) && !isDatabaseAway(error));
    if (isRefused)
      return serverAway(`The database server ${shownName} refuses the connection: its record has the reason.`, error);
    if (isDatabaseAway(error)) return serverAway(`The database server ${shownName} does not answer.`, error);
    return error;
  };
  const monitor = openPostgresMonitor(url, new Pulse(SILENCE));
  const limits = { pulse: monitor.pulse, watch: monitor.watch };
  const { pool, platform: sessions } = openPlatform({
    url,
    maxConnections: most.utility,
    kind: 'operation',
    limits,
    explain,
  });
  const platform = asCluster(sessions);
  let template: Promise<string> | undefined;
  const makeTemplate = async () => {
    // Limited as a call is; what follows, for which others wait too, may take as long as PostgreSQL is at work on it.
    await sql`select`.execute(platform).catch((error: unknown) => {
      // One that was made anew does not have the administrator's own database, which comes next.
      if (!(error instanceof AppError && isDatabaseMissing(error.cause))) throw error;
    });
    return onBudget(undefined, async () => {
      await prepareServer(url, limits);
      return ensureTenantTemplate(url, limits);
    });
  };
  const connections = openDatabaseConnections(url, most.tenants, limits, platform, explain);
  const cluster: Cluster = {
    id,
    url,
    platform,
    utility: platform,
    connections,
    limits,
    template() {
      template ??= makeTemplate().catch((error: unknown) => {
        template = undefined;
        throw explain(error);
      });
      return template;
    },
  };
  return {
    cluster,
    rename(name) {
      shownName = name;
    },
    isInUse: () => pool.totalCount > pool.idleCount || connections.usage().inUse > 0,
    async close() {
      await Promise.all([sessions.destroy(), monitor.close()]);
    },
  };
}

/** @param what says which server is away, and how */
const serverAway = (what: string, cause: unknown): AppError =>
  new AppError(
    'database-away',
    { message: `${what} Only its own databases are away; please try again later.` },
    { cause },
  );

/** Whether another server than the control database's own does not answer, or refuses its administrator. Its databases are left alone until it does. */
export const isServerAway = (error: unknown): boolean => error instanceof AppError && error.code === 'database-away';

/** Waits for work on a server, unless that is away. @returns whether it was done */
export async function unlessAway(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isServerAway(error)) return false;
    throw error;
  }
}

/** Asks a server for a sign of life, for which it has the time of a call. @throws AppError database-away */
export const pingServer = ({ platform }: Cluster): Promise<unknown> =>
  onBudget(new TimeBudget(), () => sql`select`.execute(platform));

/** Runs `work` on one session of a server for utility commands. */
export const onClusterSession = <T>({ utility }: Cluster, work: (session: ClusterSession) => Promise<T>): Promise<T> =>
  utility.connection().execute((session) => work(asCluster(session)));

/** Runs `work` on one session of each of the two servers; on the control database's own it is the same one. */
export function onSessions<T>(
  { clusters, utility }: { clusters: Clusters; utility: Platform },
  serverId: string,
  work: (sessions: Sessions) => Promise<T>,
): Promise<T> {
  return utility.connection().execute(async (connection) => {
    if (serverId === HOME_SERVER) return work(atHome(connection));
    return onClusterSession(await clusters.of(serverId), (cluster) => work({ connection, cluster }));
  });
}

/**
 * For work within a transaction of the control database. On another server each statement counts at once: what it does there must be
 * harmless where the transaction fails.
 */
export async function sessionsWithin<Connection extends Platform>(
  { clusters }: { clusters: Clusters },
  serverId: string,
  connection: Connection,
): Promise<Sessions & { connection: Connection }> {
  const cluster = serverId === HOME_SERVER ? asCluster(connection) : (await clusters.of(serverId)).utility;
  return { connection, cluster };
}

/**
 * Runs `work` for each server, one after the other. Other servers than the home one get the time of a call for a sign of life, and in a call
 * as much for the work. One of them that is away is left out, and one where the work fails for another reason, which is told.
 * @param stopping aborted: no further server is asked
 * @returns the names of those that were left out
 */
export async function forEachCluster(
  { clusters }: { clusters: Clusters },
  work: (cluster: Cluster, name: string) => Promise<void>,
  stopping?: AbortSignal,
): Promise<string[]> {
  const leftOut: string[] = [];
  for (const { id, name } of await clusters.list()) {
    if (stopping?.aborted) break;
    const visit = (cluster: Cluster) => work(cluster, name);
    if (id === HOME_SERVER) await visit(clusters.home);
    else
      await visitOther(clusters, id, visit).catch((error: unknown) => {
        if (!isServerAway(error)) clusters.onError(leftOutBecause(name, error));
        leftOut.push(name);
      });
  }
  return leftOut;
}

async function visitOther(clusters: Clusters, id: string, visit: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = await clusters.of(id);
  await pingServer(cluster);
  await onBudget(currentBudget() && new TimeBudget(), () => visit(cluster));
}

const leftOutBecause = (name: string, cause: unknown): Error =>
  new Error(`The database server ${name} is left out: ${reasonOf(cause)}`, { cause });
