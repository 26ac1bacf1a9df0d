import pg from 'pg';
import { withDatabaseName } from './connection-string.ts';

/** Longest that a look into a tenant's database may take, in milliseconds. */
const STATEMENT_TIMEOUT = 60_000;

/**
 * Runs `work` on a connection of its own to a tenant's database, as the administrator, and closes it.
 * @param url connection string of the control database
 */
export async function withTenantDatabase<T>(
  url: string,
  physicalName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: withDatabaseName(url, physicalName),
    application_name: 'apotheca',
    connectionTimeoutMillis: 10_000,
    statement_timeout: STATEMENT_TIMEOUT,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
