import { isDeadlock, isLockTimeout, isStatementCancelled } from '../errors/postgres-errors.ts';
import { PrimaryClient, type PrimaryClientConfig } from './primary-client.ts';
import { primaryHostsOf } from './primary-hosts.ts';

/**
 * What a connection to PostgreSQL is for.
 * - call: the pool of the control database, for calls and the server's small regular work
 * - operation: the pool for utility commands and the locks they run under
 * - read: reads in a tenant's database
 * - change: what operations do in a tenant's database
 * - upkeep: migrations, the embedded server's presence; only a start waits for them
 */
export type SessionKind = 'call' | 'operation' | 'read' | 'change' | 'upkeep';

interface Limits {
  /** Longest wait for one lock, in milliseconds. */
  lock: number;
  /** Longest pause between two statements of a transaction, in milliseconds. */
  idleInTransaction: number;
  /** Longest statement, in milliseconds; 0: no limit. */
  statement: number;
}

/** Longest statement in the pool of the control database, in milliseconds. */
export const STATEMENT_LIMIT = 15_000;

/** Longest wait for a lock on a tenant's table, in milliseconds. It is short because later statements queue behind the one that waits. */
export const LOCK_TIMEOUT = 3_000;

/**
 * Longest statement that reads a tenant's database, in milliseconds: counting the rows of a large one takes minutes. The console
 * waits a minute longer (console/src/transport/transport.ts). Operations have no such limit.
 */
const READ_LIMIT = 240_000;

const MINUTE = 60_000;

/** How PostgreSQL limits each kind of session (decision 019). */
const LIMITS: Record<SessionKind, Limits> = {
  call: { lock: 5_000, idleInTransaction: 10_000, statement: STATEMENT_LIMIT },
  // An operation may wait long for another one. But it may hold locks that calls need, so its pauses are limited like those of
  // calls.
  operation: { lock: 5 * MINUTE, idleInTransaction: 10_000, statement: 0 },
  read: { lock: LOCK_TIMEOUT, idleInTransaction: 10_000, statement: READ_LIMIT },
  // Pauses may be long, as large changes process rows here between two statements.
  change: { lock: MINUTE, idleInTransaction: MINUTE, statement: 0 },
  // Migrations themselves wait for less (db/platform-migrations.ts).
  upkeep: { lock: 5 * MINUTE, idleInTransaction: MINUTE, statement: 0 },
};

/**
 * Whether PostgreSQL gave a statement up, by a limit of its session or as its transaction and others waited for each other. Where there is no
 * limit, somebody has cancelled it.
 */
export function isGivenUp(error: unknown, kind: SessionKind): boolean {
  return isLockTimeout(error) || isDeadlock(error) || (LIMITS[kind].statement > 0 && isStatementCancelled(error));
}

/** Seconds of silence after which either end of a connection asks for a sign of life. */
export const KEEP_ALIVE_IDLE = 5;
/** How this end then asks, as Node.js does: every so many seconds, and so many times. */
export const KEEP_ALIVE_ASKING = { interval: 1, count: 10 };

/**
 * PostgreSQL ends the session of a machine that has vanished after 11 s without a sign of life, or after 15 s with unconfirmed
 * data. It ignores settings that its system lacks (PostgreSQL manual, 20.3.2).
 */
const KEEP_ALIVE = {
  tcp_keepalives_idle: KEEP_ALIVE_IDLE,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 15_000,
};

/**
 * The search path of every session in a tenant's database. Names without a schema are PostgreSQL's own, so that nobody can replace
 * a function or table by one in `public`. It overrides settings of roles and databases.
 * @see https://www.postgresql.org/docs/15/ddl-schemas.html#DDL-SCHEMAS-PATTERNS
 */
const SEARCH_PATH = '-c search_path=pg_catalog';

/** How long making a connection may take, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/** The settings of a connection, which pools take, too. */
interface SessionSettings extends PrimaryClientConfig {
  Client: typeof PrimaryClient;
}

/**
 * The settings of a connection to PostgreSQL. All connections of the server are made with them, as a `PrimaryClient` or by a pool.
 * @param url connection string; its `options` override these settings, except for the search path in a tenant's database
 * @param name of the session in pg_stat_activity
 */
export function sessionSettings(url: string, kind: SessionKind, name = 'apotheca'): SessionSettings {
  const target = new URL(url);
  // Added to ours, as node-pg would use the connection string's options only.
  const own = target.searchParams.get('options') ?? '';
  target.searchParams.delete('options');
  const hosts = primaryHostsOf(url);
  // node-postgres knows one host.
  if (hosts) for (const parameter of ['host', 'port']) target.searchParams.delete(parameter);
  target.searchParams.delete('target_session_attrs');
  const isTenants = kind === 'read' || kind === 'change';
  const { lock, idleInTransaction, statement } = LIMITS[kind];
  const settings = {
    // So moments in JSON that the control database builds are in UTC, whatever PostgreSQL's own zone is.
    ...(!isTenants && { TimeZone: 'UTC' }),
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleInTransaction,
    statement_timeout: statement,
    // The server may end idle sessions, and with one of them the lock of an operation.
    idle_session_timeout: 0,
    ...KEEP_ALIVE,
  };
  const flags = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  return {
    hosts,
    Client: PrimaryClient,
    connectionString: target.href,
    application_name: name,
    // If one is set twice, the last value counts.
    options: [...flags, own, isTenants ? SEARCH_PATH : ''].join(' ').trim(),
    connectionTimeoutMillis: CONNECT_LIMIT,
    // Node.js then asks as KEEP_ALIVE_ASKING says.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_IDLE * 1000,
  };
}
