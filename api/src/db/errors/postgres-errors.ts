import pg from 'pg';

/** SQLSTATE codes that the server tells apart (PostgreSQL manual, appendix A). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Whether PostgreSQL reported this, and not the connection to it. */
export const isReported = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;

/** The constraint that an INSERT or UPDATE violated, if `error` is such a refusal. */
export function violatedConstraint(error: unknown): { kind: 'unique' | 'foreign-key'; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.constraint) return undefined;
  if (error.code === UNIQUE_VIOLATION) return { kind: 'unique', constraint: error.constraint };
  if (error.code === FOREIGN_KEY_VIOLATION) return { kind: 'foreign-key', constraint: error.constraint };
  return undefined;
}

/** PostgreSQL did not answer in the time that there was, be it that this server gave the statement up or PostgreSQL did. */
export class DatabaseTimeout extends Error {
  /** Whether it answered others meanwhile: then it, or this server, has too much to do. */
  readonly isOverloaded: boolean;

  /** @param cause what PostgreSQL said, where it was the one that gave up */
  constructor(isOverloaded: boolean, cause?: unknown) {
    super(isOverloaded ? 'PostgreSQL answers others, but not this in time' : 'PostgreSQL does not answer', { cause });
    this.isOverloaded = isOverloaded;
  }
}

/** Node.js' codes for a connection that is lost, or was never made. */
const CONNECTION_CODES = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** Texts without a code of pg, pg-pool, pg-protocol and Kysely for the same (postgres-errors.test.ts holds them against their sources). */
const CONNECTION_TEXTS = new RegExp(
  `^(${[
    'Connection terminated',
    'Client (has encountered a connection error|was closed)',
    'timeout (expired|exceeded when trying to connect)',
    'Query read timeout',
    'Received unexpected \\w+ message from backend',
    'received invalid response',
    'Unknown authenticationOk message type',
    'There was an error establishing an SSL connection',
    'Cannot use a pool after calling end on the pool',
    'driver has already been destroyed',
    'Postgres connection has been discarded',
  ].join('|')})`,
);

/** SQLSTATE of a PostgreSQL that is away, shuts down, starts up, ended the session (25P03, 57P05), or has no connection left (53300). */
const AWAY = /^(08...|25P03|57P0[1235]|53300)$/;

/** Whether an error says that PostgreSQL is away, or did not answer in time. What was begun may be begun anew later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof DatabaseTimeout || syscall === 'connect') return true;
  if (code !== undefined) return CONNECTION_CODES.has(code) || AWAY.test(code);
  return CONNECTION_TEXTS.test(error.message);
}

/** Whether pg or pg-pool had no connection in their own time: a full pool and a silent server read alike. */
export function isConnectTimeout(error: unknown): boolean {
  const text = /^(timeout (expired|exceeded when trying to connect)|Connection terminated due to connection timeout)/;
  return error instanceof Error && text.test(error.message);
}

/** No more files or sockets may be opened: by this process, by the machine. */
const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

/**
 * Whether there is too much to do at once: no connection is free (53300), no memory (53200), no descriptor, a lock is held for too long
 * (55P03), or answers take too long.
 */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof DatabaseTimeout) return error.isOverloaded;
  const code = codeOf(error);
  return NO_DESCRIPTORS.has(code) || /^(53[23]00|55P03)$/.test(code);
}

/** Whose disk is full: that of PostgreSQL (53100), or that of this server's files; undefined: nobody's. */
export function fullDisk(error: unknown): 'postgres' | 'server' | undefined {
  const code = codeOf(error);
  if (code === '53100') return 'postgres';
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'server' : undefined;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether a database is not there (3D000). */
export function isDatabaseMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '3D000';
}

/** Whether a database is closed to connections, or has sessions that a copy cannot have (55000, 55006). */
export function isDatabaseBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55000|55006)$/.test(error.code ?? '');
}

/** Whether a statement gave up waiting for a lock that another session holds (55P03, by lock_timeout). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** Whether PostgreSQL ended a statement before it was done: its time was over, or somebody cancelled it (57014). */
export function isStatementCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

/** PostgreSQL's own words for why it refused a statement, for administrators. */
export function postgresMessage(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.message : undefined;
}
