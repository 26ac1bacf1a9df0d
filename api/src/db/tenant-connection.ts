import { sql } from 'kysely';
import pLimit from 'p-limit';
import type pg from 'pg';
import { AppError } from '../errors.ts';
import type { ClusterSession, Place } from './cluster/session.ts';
import { withDatabaseName } from './connections/connection-string.ts';
import {
  closeLimited,
  connectLimited,
  limitStatements,
  type StatementLimits,
  waitFor,
} from './connections/limited-waits.ts';
import { PrimaryClient } from './connections/primary-client.ts';
import { sessionSettings } from './connections/session-settings.ts';
import { currentBudget, REQUEST_BUDGET } from './connections/time-budget.ts';
import { type Pulse, processIdOf } from './connections/watch.ts';
import { isLockTimeout } from './errors/postgres-errors.ts';

/** How many reads of one tenant's database run at a time: so a read that hangs delays only reads of that tenant. */
const READS_AT_ONCE = 2;

/** Connections of the administrator to tenants' databases: one for each piece of work, and a limited number at a time on each server. */
export interface TenantConnections {
  /**
   * Runs `work` on a new connection, then closes it. Waits while all are taken.
   * @throws AppError busy if another session locks a table for too long; database-away if another server than the home one does not answer
   */
  with<T>(database: Place, work: Work<T>, options?: TenantConnectionOptions): Promise<T>;
  /** The same connections, but their reads end when the signal is aborted. */
  until(signal: AbortSignal): TenantConnections;
  /** Of the home server: how many connections there may be, how many are in use, and how much work waits for one. */
  usage(): { most: number; inUse: number; waiting: number };
}

/** Connections to the databases of one server. */
export interface DatabaseConnections {
  /** As {@link TenantConnections.with}. @param signal ends reads when it is aborted */
  with<T>(
    physicalName: string,
    work: Work<T>,
    options: TenantConnectionOptions | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T>;
  /** As {@link TenantConnections.usage}. */
  usage(): { most: number; inUse: number; waiting: number };
}

interface TenantConnectionOptions {
  /** For operations, not for reads: their statements have no time limit, and do not wait for reads. */
  unlimited?: boolean;
  /** Name of the session in pg_stat_activity; absent: 'apotheca'. */
  applicationName?: string;
}

type Work<T> = (client: pg.Client) => Promise<T>;

/** Where the connections to each server's databases are. */
interface Servers {
  home: { connections: DatabaseConnections };
  of(serverId: string): Promise<{ connections: DatabaseConnections }>;
}

/** The connections to tenants' databases, each on the server where it lives. */
export function connectTenants(servers: Servers, signal?: AbortSignal): TenantConnections {
  return {
    async with(database, work, options) {
      const { connections } = await servers.of(database.serverId);
      return connections.with(database.physicalName, work, options, signal);
    },
    until: (ended) => connectTenants(servers, ended),
    usage: () => servers.home.connections.usage(),
  };
}

/**
 * @param url connection string of the administrator, to any database of the server
 * @param most how many connections at a time
 * @param limits of their statements
 * @param platform by which statements of abandoned reads are cancelled
 * @param explain makes what is thrown of an error
 */
export function openDatabaseConnections(
  url: string,
  most: number,
  limits: StatementLimits,
  platform: ClusterSession,
  explain: (error: unknown) => unknown = (error) => error,
): DatabaseConnections {
  const connections = makeTurns(most, limits.pulse);
  const reads = makeTurnsByName(READS_AT_ONCE, limits.pulse);
  return {
    async with<T>(
      physicalName: string,
      work: Work<T>,
      options: TenantConnectionOptions = {},
      signal?: AbortSignal,
    ): Promise<T> {
      const connect = (use: Work<T>) => onConnection(withDatabaseName(url, physicalName), limits, options, use);
      const run = () =>
        options.unlimited
          ? connections.run(() => connect(work))
          : reads(physicalName, () =>
              connections.run(() => {
                signal?.throwIfAborted();
                return connect((client) => readUntilDisconnect(platform, signal, client, work));
              }),
            );
      return run().catch((error: unknown) => {
        throw explain(error);
      });
    },
    usage: () => ({ most, inUse: connections.inTurn.activeCount, waiting: connections.inTurn.pendingCount }),
  };
}

interface Turns {
  /** Runs work when it is its turn. */
  run<T>(work: () => Promise<T>): Promise<T>;
  inTurn: { activeCount: number; pendingCount: number };
}

/** Limits how many run at a time. A request waits as long as others get their turn; operations wait without limit. */
function makeTurns(most: number, pulse: Pulse): Turns {
  const inTurn = pLimit(most);
  let ended = 0;
  const run: Turns['run'] = async (work) => {
    const mine = new Promise<() => void>((fulfil) => {
      inTurn(() => new Promise<void>((end) => fulfil(end))).then(() => {
        ended = performance.now();
      });
    });
    const end = await waitFor(mine, {
      pulse,
      limit: currentBudget() && REQUEST_BUDGET,
      isQueue: true,
      movedAt: () => ended,
      onGivenUp: () => mine.then((giveTurn) => giveTurn()),
    });
    try {
      return await work();
    } finally {
      end();
    }
  };
  return { run, inTurn };
}

/** Limits how many run at a time for each name. */
function makeTurnsByName(most: number, pulse: Pulse): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { turns: Turns; users: number }>();
  return async (name, work) => {
    const queue = queues.get(name) ?? { turns: makeTurns(most, pulse), users: 0 };
    queues.set(name, queue);
    queue.users += 1;
    try {
      return await queue.turns.run(work);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(name);
    }
  };
}

async function onConnection<T>(
  url: string,
  limits: StatementLimits,
  { unlimited = false, applicationName }: TenantConnectionOptions,
  work: Work<T>,
): Promise<T> {
  const client = new PrimaryClient(sessionSettings(url, unlimited ? 'change' : 'read', applicationName));
  await connectLimited(client, limits.pulse);
  limitStatements(client, limits);
  try {
    return await work(client);
  } finally {
    await closeLimited(client);
  }
}

/**
 * Runs reads until their caller disconnects. Then PostgreSQL cancels the statement, and no other one begins.
 * @throws the signal's reason
 */
async function readUntilDisconnect<T>(
  platform: ClusterSession,
  signal: AbortSignal | undefined,
  client: pg.Client,
  work: Work<T>,
): Promise<T> {
  const end = async () => {
    await sql`select pg_cancel_backend(${processIdOf(client)})`.execute(platform).catch(() => {});
    await closeLimited(client);
  };
  signal?.throwIfAborted();
  signal?.addEventListener('abort', end);
  try {
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    return refuseHeldTable(error);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** For errors of a statement in a tenant's database. @throws AppError busy where it waited too long for a lock; any other error as it is */
export function refuseHeldTable(error: unknown): never {
  if (!isLockTimeout(error)) throw error;
  const message = 'Another session holds a table of the database. Please try again when it has ended.';
  throw new AppError('busy', { message }, { cause: error });
}

/** Runs statements without parameters in one round trip. @returns their results; node-pg's types have only that of one statement */
export async function queryEach(client: pg.Client, statements: readonly string[]): Promise<pg.QueryResult[]> {
  return (await client.query(statements.join(';\n'))) as unknown as pg.QueryResult[];
}
