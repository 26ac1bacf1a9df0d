import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { limitPool, type StatementLimits } from './connections/limited-waits.ts';
import { preparingPool } from './connections/prepared-statements.ts';
import { isGivenUp, type SessionKind, sessionSettings } from './connections/session-settings.ts';
import { Pulse } from './connections/watch.ts';
import { DatabaseTimeout } from './errors/postgres-errors.ts';
import type { PlatformTables } from './tables/platform-tables.ts';

export type { PlatformTables };

/** The control database: a pool, one connection of it, or a transaction on one. */
export type Platform = Kysely<PlatformTables>;

/** A transaction of the control database. */
export type Trx = Transaction<PlatformTables>;

const DATE = 1082;
const BIGINT = 20;
// A calendar day stays a text: a Date would shift it by the server's time zone.
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (value) => value);
types.setTypeParser(BIGINT, (value) => value);

/** How a pool is reached and how large it is. */
export interface PlatformOptions {
  url: string;
  /** How many connections the pool may have. */
  maxConnections?: number;
  /** What the pool is for; absent: for calls. */
  kind?: SessionKind;
  /** Absent: statements may take as long as PostgreSQL lets them. */
  limits?: StatementLimits;
  /**
   * What is thrown in place of an error of the connection or of a statement; absent: the error itself.
   * @param isConnecting whether no session was made
   */
  explain?(error: unknown, isConnecting?: boolean): unknown;
}

/**
 * Opens the pool of the control database. No connection is made before the first query.
 * @returns the pool, and Kysely over it
 */
export function openPlatform({
  url,
  maxConnections = 20,
  kind = 'call',
  limits,
  explain = (error) => error,
}: PlatformOptions): {
  pool: pg.Pool;
  platform: Platform;
} {
  const pool = new pg.Pool({ ...sessionSettings(url, kind), max: maxConnections, types });
  // PostgreSQL may close an idle connection: the pool opens another one.
  pool.on('error', () => {});
  limitPool(pool, limits ?? { pulse: new Pulse() });
  const connect = pool.connect.bind(pool);
  Object.assign(pool, {
    connect: () =>
      connect().catch((error: unknown) => {
        throw explain(error, true);
      }),
  });
  pool.on('connect', (client) => unifyTimeouts(client, kind, explain));
  const platform = new Kysely<PlatformTables>({
    dialect: new PostgresDialect({ pool: preparingPool(pool) }),
    // Keys inside JSON stay as they are: they are data, such as names of tables.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { pool, platform };
}

/** PostgreSQL and this server limit the same waits. This makes the error the same, whichever of the two is first. */
function unifyTimeouts(client: pg.PoolClient, kind: SessionKind, explain: (error: unknown) => unknown): void {
  const send = client.query.bind(client);
  const query = (text: string | pg.QueryConfig, values?: unknown[]) =>
    send(text, values).catch((error: unknown) => {
      throw isGivenUp(error, kind) ? new DatabaseTimeout(true, error) : explain(error);
    });
  // As in limited-waits.ts.
  client.query = query as typeof client.query;
}
