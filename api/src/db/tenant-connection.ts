import pLimit from 'p-limit';
import pg from 'pg';
import { withDatabaseName } from './connection-string.ts';

/**
 * Longest that a statement of a look into a tenant's database may take, in milliseconds: counting the rows of a large one takes minutes.
 * The console waits a minute longer (console/src/api/transport.ts). Operations take as long as they need.
 */
const STATEMENT_TIMEOUT = 240_000;

/** Longest wait for a lock by what changes a tenant's tables, in milliseconds: whoever comes later waits behind the one that waits. */
export const LOCK_TIMEOUT = 3_000;

/** The way into tenants' databases as the administrator: one connection a piece of work, so many at a time and no more. */
export interface TenantConnections {
  /** Runs `work` on a connection of its own and closes it. Whoever comes when all are taken waits. */
  with<T>(physicalName: string, work: (client: pg.Client) => Promise<T>, options?: TenantConnectionOptions): Promise<T>;
}

interface TenantConnectionOptions {
  /** No statement timeout: for the work of operations. */
  unlimited?: boolean;
  /** Name of the session in pg_stat_activity, where it is not just Apotheca's. */
  applicationName?: string;
}

/**
 * @param url connection string of the control database
 * @param limit most connections at a time
 */
export function openTenantConnections(url: string, limit: number): TenantConnections {
  const limited = pLimit(limit);
  return {
    with: (physicalName, work, options = {}) => limited(() => onConnection(url, physicalName, options, work)),
  };
}

async function onConnection<T>(
  url: string,
  physicalName: string,
  { unlimited = false, applicationName = 'apotheca' }: TenantConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: withDatabaseName(url, physicalName),
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    ...(!unlimited && { statement_timeout: STATEMENT_TIMEOUT }),
  });
  // PostgreSQL may end it between two statements; the next one says so.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Process id of a session. PostgreSQL tells it at the beginning (BackendKeyData); node-pg's types leave it out. */
export const processIdOf = (client: pg.Client): number => (client as pg.Client & { processID: number }).processID;

/** Runs statements without parameters in one round trip. @returns the result of each; node-pg's types know only that of one */
export async function queryEach(client: pg.Client, statements: readonly string[]): Promise<pg.QueryResult[]> {
  return (await client.query(statements.join(';\n'))) as unknown as pg.QueryResult[];
}
