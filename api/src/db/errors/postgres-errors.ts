import pg from 'pg';
import { AppError } from '../../errors.ts';
import { tlsProblem } from './connection-problems.ts';
import { withoutValues } from './quoted-values.ts';

/** SQLSTATE codes that the server tells apart (PostgreSQL manual, appendix A). */
const UNIQUE_VIOLATION = '23505';
/** ON DELETE RESTRICT has a code of its own from PostgreSQL 18 on. */
const FOREIGN_KEY_VIOLATIONS = ['23503', '23001'];

/** Whether an error comes from PostgreSQL, and not from the connection to it. */
export const isReported = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError;

/** The constraint that an INSERT or UPDATE violated; undefined for other errors. */
export function violatedConstraint(error: unknown): { kind: 'unique' | 'foreign-key'; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.constraint) return undefined;
  if (error.code === UNIQUE_VIOLATION) return { kind: 'unique', constraint: error.constraint };
  if (FOREIGN_KEY_VIOLATIONS.includes(error.code ?? '')) return { kind: 'foreign-key', constraint: error.constraint };
  return undefined;
}

/** Turns violated constraints, by their names, into refusals. Other errors stay as they are. */
export const refuseBy =
  (refusals: Record<string, () => AppError>) =>
  (error: unknown): never => {
    throw refusals[violatedConstraint(error)?.constraint ?? '']?.() ?? error;
  };

/** PostgreSQL did not answer in time: this server or PostgreSQL gave up the statement. */
export class DatabaseTimeout extends Error {
  /** Whether PostgreSQL answered others meanwhile: then it, or this server, is overloaded. */
  readonly isOverloaded: boolean;

  /** @param cause PostgreSQL's error, if it was PostgreSQL that gave up */
  constructor(isOverloaded: boolean, cause?: unknown) {
    super(isOverloaded ? 'PostgreSQL answers others, but not this in time' : 'PostgreSQL does not answer', { cause });
    this.isOverloaded = isOverloaded;
  }
}

/** A PostgreSQL that answers but takes no writes, such as a standby or a former primary: to this server it is away. */
export class NotPrimary extends Error {}

/** A control database that lets no session begin, as where it was renamed or closed: until that is mended it is away. */
export class DatabaseClosed extends Error {}

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

/** Whether an error of Node.js says that a connection is lost or was never made, to whatever server. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONNECTION_CODES.has(String(error.code));

/**
 * Errors without a code of pg, pg-pool, pg-protocol and Kysely for the same; postgres-errors.test.ts compares them with the
 * packages' sources.
 */
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

/**
 * SQLSTATEs of a PostgreSQL that is away, stops, starts, takes no writes (25006), has ended the session (25P03, 57P05), has no connection
 * left (53300) or does not let the server in (28).
 */
const AWAY = /^(08...|25006|25P03|28...|57P0[1235]|53300)$/;

/** Whether an error says that PostgreSQL is away or did not answer in time. The work can be tried again later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError) return error.code === 'database-away';
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof DatabaseTimeout || error instanceof NotPrimary || error instanceof DatabaseClosed) return true;
  if (syscall === 'connect') return true;
  if (tlsProblem(error) !== undefined) return true;
  if (code !== undefined) return CONNECTION_CODES.has(code) || AWAY.test(code);
  return CONNECTION_TEXTS.test(error.message);
}

/** Whether pg or pg-pool got no connection within their own limits. The error is the same for a full pool and a silent server. */
export function isConnectTimeout(error: unknown): boolean {
  const text = /^(timeout (expired|exceeded when trying to connect)|Connection terminated due to connection timeout)/;
  return error instanceof Error && text.test(error.message);
}

/** This process, or the machine, can open no more files and sockets. */
const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

/**
 * Whether an error is one of overload: no free connection (53300), memory (53200) or file descriptor, a lock held for too long
 * (55P03), locks that wait for each other (40P01), or late answers.
 */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof DatabaseTimeout) return error.isOverloaded;
  const code = codeOf(error);
  return NO_DESCRIPTORS.has(code) || /^(53[23]00|55P03|40P01)$/.test(code);
}

/**
 * What ends each new session where PostgreSQL has to write a file of its catalogue and cannot. Up to version 16 it has the SQLSTATE of an
 * internal error (src/backend/utils/cache/relcache.c, write_item).
 */
const NO_INIT_FILE = /^could not write init file/;

/** Whose disk is full: PostgreSQL's (53100), or that of this server's files; undefined: none. */
export function fullDisk(error: unknown): 'postgres' | 'server' | undefined {
  const code = codeOf(error);
  if (code === '53100' || (isReported(error) && NO_INIT_FILE.test(error.message))) return 'postgres';
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'server' : undefined;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether PostgreSQL refused what the role of the session has no right to (42501). */
export function isNotPermitted(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '42501';
}

/** Whether PostgreSQL does not let the role in, as by another password or by pg_hba.conf (class 28). */
export function isLoginRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^28/.test(error.code ?? '');
}

/** Whether a database does not exist (3D000). */
export function isDatabaseMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '3D000';
}

/**
 * Whether PostgreSQL lacks a table (42P01), or cannot read its files: they are gone, damaged or on a failing disk (classes 58 and XX). The
 * same of its catalogues ends each new session.
 */
export function isUnreadable(error: unknown): boolean {
  return isReported(error) && /^(42P01|58...|XX...)$/.test(error.code ?? '') && fullDisk(error) === undefined;
}

/** Whether a table is not there, or its schema is not (42P01, 3F000). */
export function isTableMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(42P01|3F000)$/.test(error.code ?? '');
}

/** Whether a database is closed to connections, or has sessions although a copy needs none (55000, 55006). */
export function isDatabaseBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55000|55006)$/.test(error.code ?? '');
}

/** Whether a statement waited too long for another session's lock (55P03, by lock_timeout). */
export function isLockTimeout(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** Whether a row of a catalogue was changed while a statement waited to change it, too. PostgreSQL has no SQLSTATE of its own for that, and no translation. */
export function isOvertaken(error: unknown): boolean {
  return isReported(error) && /^tuple concurrently (updated|deleted)/.test(error.message);
}

/** Whether transactions waited for each other, and PostgreSQL rolled this one back (40P01). */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}

/** Whether PostgreSQL ended a statement early, by a limit or because somebody cancelled it (57014). */
export function isStatementCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}

/** An error's own message. PostgreSQL's about data that it does not take (class 22) is without values of rows. */
export const messageOf = (error: Error): string =>
  isReported(error) && error.code?.startsWith('22') ? withoutValues(error.message) : error.message;

/** PostgreSQL's own message about a refused statement, for administrators. */
export function postgresMessage(error: unknown): string | undefined {
  return isReported(error) ? messageOf(error) : undefined;
}
