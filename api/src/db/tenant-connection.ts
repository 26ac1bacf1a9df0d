import pLimit from 'p-limit';
import pg from 'pg';
import { withDatabaseName } from './connection-string.ts';

/** Longest that a look into a tenant's database may take, in milliseconds; operations take as long as they need. */
const STATEMENT_TIMEOUT = 60_000;

/** The way into tenants' databases as the administrator: one connection a piece of work, so many at a time and no more. */
export interface TenantConnections {
  /** Runs `work` on a connection of its own and closes it. Whoever comes when all are taken waits. */
  with<T>(physicalName: string, work: (client: pg.Client) => Promise<T>, options?: TenantConnectionOptions): Promise<T>;
}

interface TenantConnectionOptions {
  /** No statement timeout: for the work of operations. */
  unlimited?: boolean;
}

/**
 * @param url connection string of the control database
 * @param limit most connections at a time
 */
export function openTenantConnections(url: string, limit: number): TenantConnections {
  const limited = pLimit(limit);
  return {
    with: (physicalName, work, { unlimited = false } = {}) =>
      limited(() => onConnection(url, physicalName, unlimited, work)),
  };
}

async function onConnection<T>(
  url: string,
  physicalName: string,
  unlimited: boolean,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: withDatabaseName(url, physicalName),
    application_name: 'apotheca',
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
