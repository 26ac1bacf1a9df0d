import type pg from 'pg';
import { isLockTimeout, isStatementCancelled } from '../errors/postgres-errors.ts';

/**
 * What a connection to PostgreSQL is for.
 * - call: the pool of the control database, for calls and the server's small regular work
 * - operation: the pool for utility commands and the locks they run under
 * - read: reads in a tenant's database
 * - change: what operations do in a tenant's database
 * - upkeep: migrations, the embedded server's presence; nobody waits for them but a start
 */
export type SessionKind = 'call' | 'operation' | 'read' | 'change' | 'upkeep';

interface Limits {
  /** Longest wait for one lock, in milliseconds. */
  lock: number;
  /** Longest pause between two statements of a transaction, in milliseconds. */
  idleInTransaction: number;
  /** Longest statement, in milliseconds; 0: any. */
  statement: number;
}

/** Longest that a statement of the control database's pool may take, in milliseconds. */
export const STATEMENT_LIMIT = 15_000;

/** Longest wait for a lock by what reads or changes a tenant's tables, in milliseconds: whoever comes later waits behind the one that waits. */
export const LOCK_TIMEOUT = 3_000;

/**
 * Longest that a statement that reads a tenant's database may take, in milliseconds: counting the rows of a large one takes minutes.
 * The console waits a minute longer (console/src/transport/transport.ts). Operations take as long as they need.
 */
const READ_LIMIT = 240_000;

const MINUTE = 60_000;

/** How PostgreSQL limits each kind of session (decision 019). */
const LIMITS: Record<SessionKind, Limits> = {
  call: { lock: 5_000, idleInTransaction: 10_000, statement: STATEMENT_LIMIT },
  // An operation may wait for another one; whoever holds a lock that calls need as well is limited as they are.
  operation: { lock: 5 * MINUTE, idleInTransaction: 10_000, statement: 0 },
  read: { lock: LOCK_TIMEOUT, idleInTransaction: 10_000, statement: READ_LIMIT },
  // Between two statements large ones work through rows in this process.
  change: { lock: MINUTE, idleInTransaction: MINUTE, statement: 0 },
  // Of several servers that start at once each waits for the one that migrates.
  upkeep: { lock: 5 * MINUTE, idleInTransaction: MINUTE, statement: 0 },
};

/** Whether PostgreSQL gave a statement up by the limits of its session; where statements have none, it is somebody who cancelled it. */
export function isPastLimit(error: unknown, kind: SessionKind): boolean {
  return isLockTimeout(error) || (LIMITS[kind].statement > 0 && isStatementCancelled(error));
}

/** Seconds of silence after which either side asks for a sign of life. */
export const KEEP_ALIVE_IDLE = 5;

/**
 * After 11 s without a sign of life, or 15 s with data that nobody confirmed, PostgreSQL ends the session of a machine that has vanished.
 * Where its system lacks one of these it goes without (PostgreSQL manual, 20.3.2).
 */
const KEEP_ALIVE = {
  tcp_keepalives_idle: KEEP_ALIVE_IDLE,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 15_000,
};

/**
 * How every session in a tenant's database begins. Names without a schema are PostgreSQL's own, so that no function or table which somebody
 * made in `public` is taken for one of them; a setting of a role or a database counts less than this.
 * @see https://www.postgresql.org/docs/15/ddl-schemas.html#DDL-SCHEMAS-PATTERNS
 */
const SEARCH_PATH = '-c search_path=pg_catalog';

/** Longest that making a connection may take, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/**
 * The one place that decides how a connection to PostgreSQL is set up.
 * @param url connection string; what it sets by `options` counts more, except for the search path in a tenant's database
 * @param name of the session in pg_stat_activity
 */
export function sessionSettings(url: string, kind: SessionKind, name = 'apotheca'): pg.ClientConfig {
  const target = new URL(url);
  // node-pg takes the connection string's in place of ours.
  const own = target.searchParams.get('options') ?? '';
  target.searchParams.delete('options');
  const isTenants = kind === 'read' || kind === 'change';
  const { lock, idleInTransaction, statement } = LIMITS[kind];
  const settings = {
    // Moments in JSON that the control database builds are in UTC, whatever the server's own zone is.
    ...(!isTenants && { TimeZone: 'UTC' }),
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleInTransaction,
    statement_timeout: statement,
    ...KEEP_ALIVE,
  };
  const flags = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  return {
    connectionString: target.href,
    application_name: name,
    // The last one counts.
    options: [...flags, own, isTenants ? SEARCH_PATH : ''].join(' ').trim(),
    connectionTimeoutMillis: CONNECT_LIMIT,
    // Node.js then asks every second, ten times.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_IDLE * 1000,
  };
}
