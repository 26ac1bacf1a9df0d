import { AppError } from '../errors.ts';
import { isDatabaseAway, isDatabaseBusy, isDatabaseMissing, isStatementCancelled } from './postgres-errors.ts';

/** What PostgreSQL's refusal means to whoever asked; undefined where nobody foresaw it. */
export function refusalOf(error: unknown): AppError | undefined {
  if (isDatabaseAway(error)) return new AppError('database-away', {}, { cause: error });
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
  return undefined;
}
