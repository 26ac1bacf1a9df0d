import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { quoteIdentifier } from '../db/cluster/names.ts';
import { withDatabaseName } from '../db/connections/connection-string.ts';

export interface TestDatabase {
  /** Superuser's connection string. */
  url: string;
  drop(): Promise<void>;
}

/** An empty database on the test cluster. @param encoding as PostgreSQL calls it; absent: that of the cluster */
export function createEmptyDatabase(encoding?: 'LATIN1' | 'SQL_ASCII'): Promise<TestDatabase> {
  const other = encoding && ` encoding '${encoding}' locale_provider libc lc_collate 'C' lc_ctype 'C'`;
  return createDatabase('template0', other);
}

/** A copy of a database that nobody is connected to. */
export function copyOf({ url }: TestDatabase): Promise<TestDatabase> {
  return createDatabase(new URL(url).pathname.slice(1));
}

/** A new migrated and seeded control database for a test file. */
export function createPlatformDatabase(): Promise<TestDatabase> {
  return createDatabase('apotheca');
}

async function createDatabase(template: string, options = ''): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnCluster(`create database ${quoteIdentifier(name)} template ${quoteIdentifier(template)}${options}`);
  return {
    url: withDatabaseName(inject('postgresUrl'), name),
    drop: () => runOnCluster(`drop database ${quoteIdentifier(name)} with (force)`),
  };
}

/** What PostgreSQL says of a database whose sessions have not ended within the 5 s that it waits for them. */
const STILL_IN_USE = '55006';
/** How long sessions may take to end, in milliseconds: on a slow machine they take longer than those. */
const LONGEST_END = 60_000;

/** Drops or copies a database: again where its sessions have not ended yet. */
export async function whenUnused(work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const run = (): Promise<unknown> =>
    work().catch((error) => {
      if (error?.code === STILL_IN_USE && performance.now() - began < LONGEST_END) return run();
      throw error;
    });
  await run();
}

/** Runs a statement as the cluster's superuser, connected to no database under test: again while a database that it drops or copies is in use. */
export async function runOnCluster(statement: string): Promise<void> {
  const url = withDatabaseName(inject('postgresUrl'), 'postgres');
  await whenUnused(() => withClient(url, (client) => client.query(statement)));
}

/**
 * Runs `work` on a new connection, then closes it.
 * @param target connection string, or how to connect
 */
export async function withClient<T>(
  target: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(target);
  // The next statement fails with it, and after the last one it does not matter.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
