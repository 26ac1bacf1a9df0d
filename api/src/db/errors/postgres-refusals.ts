import { AppError } from '../../errors.ts';
import {
  fullDisk,
  isDatabaseAway,
  isDatabaseBusy,
  isDatabaseMissing,
  isNotPermitted,
  isOverloaded,
  isStatementCancelled,
} from './postgres-errors.ts';

/** After how many seconds to try again what an overload refused. */
const RETRY_AFTER = 2;

/** What is said of each disk that may be full. */
export const FULL_DISK = {
  postgres: 'The disk of PostgreSQL is full: nothing more can be written there. Make room on it, then try again.',
  server:
    "The disk of the server's data folder is full: nothing more can be written there. Make room on it, then try again.",
};

/** The answer to a call for an error of PostgreSQL or of the system; undefined for unexpected errors. */
export function refusalOf(error: unknown): AppError | undefined {
  if (isOverloaded(error)) return new AppError('overloaded', { retryAfter: RETRY_AFTER }, { cause: error });
  if (isDatabaseAway(error)) return new AppError('database-away', {}, { cause: error });
  const full = fullDisk(error);
  if (full) return new AppError('disk-full', { message: FULL_DISK[full] }, { cause: error });
  if (isDatabaseMissing(error)) {
    return new AppError('conflict', {
      message:
        'The PostgreSQL server does not have this database. Reconcile, on the Database Management screen, says what can be done.',
    });
  }
  if (isDatabaseBusy(error)) {
    return new AppError('busy', {
      message:
        'The database takes no connections: something is being done with it, or it was left closed. Please try again, or see Reconcile.',
    });
  }
  if (isStatementCancelled(error)) {
    return new AppError('busy', {
      message:
        'PostgreSQL ended a statement early: it took too long, or somebody cancelled it. Please try again later.',
    });
  }
  if (isNotPermitted(error)) {
    // From PostgreSQL 16 on the message itself says little.
    const reason = [error.message, ...(error.detail ? [`(${error.detail.replace(/\.$/, '')})`] : [])].join(' ');
    const message = `PostgreSQL does not allow this: ${reason}. docs/operations.md says which rights Apotheca needs.`;
    return new AppError('conflict', { message }, { cause: error });
  }
  return undefined;
}
