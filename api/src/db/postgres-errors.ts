import pg from 'pg';

/** SQLSTATE codes that the server tells apart (PostgreSQL manual, appendix A). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** The constraint that an INSERT or UPDATE violated, if `error` is such a refusal. */
export function violatedConstraint(error: unknown): { kind: 'unique' | 'foreign-key'; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.constraint) return undefined;
  if (error.code === UNIQUE_VIOLATION) return { kind: 'unique', constraint: error.constraint };
  if (error.code === FOREIGN_KEY_VIOLATION) return { kind: 'foreign-key', constraint: error.constraint };
  return undefined;
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** Whether an error says that PostgreSQL is away: class 08, shutting down or starting up (57P01–57P03), too many clients. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (code !== undefined) return CONNECTION_CODES.has(code) || /^(08...|57P0[123]|53300)$/.test(code);
  // pg has no code for these.
  return /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout)/.test(
    error.message,
  );
}

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
