import type { Context } from '../context.ts';
import {
  fullDisk,
  isDatabaseAway,
  isLockTimeout,
  isLoginRefused,
  isStatementCancelled,
} from '../db/errors/postgres-errors.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { LONGEST_PAUSE, postponeRun } from './runs.repository.ts';

/** How many server processes may die in an operation before it is given up. */
const LIVES = 3;
/** How often an operation without lives is asked whether it was done, before it is given up as unknown. */
const MOST_CHECKS = 10;
/** The pause after the first interrupted run, in seconds; each further one is twice as long. */
const FIRST_PAUSE = 1;

/**
 * The pause before an operation is given up, in seconds. A process that survived its run can note that only when PostgreSQL is
 * back, and another process may see the operation first.
 */
export const LAST_PAUSE = 3;

type Counted = Pick<OperationRow, 'attempts' | 'outlived' | 'step'>;

const livesUsedBy = ({ attempts, outlived }: Counted): number => attempts - outlived;

/** Why an operation is given up and not run again; undefined: it is run. @param before its counts before this run */
export function findReasonToGiveUp(kind: OperationKind, before: Counted): AppError | undefined {
  const livesUsed = livesUsedBy(before);
  const reason = livesUsed > 0 ? kind.steps[before.step]?.givenUpBecause : undefined;
  if (reason) return new AppError('interrupted', { message: reason });
  return livesUsed >= LIVES ? new AppError('interrupted') : undefined;
}

/** Whether it could not be found out, after many tries, if an operation was done. */
export const isOutcomeUnknown = (before: Counted): boolean => livesUsedBy(before) >= LIVES + MOST_CHECKS;

/** The interrupted runs of this server process, which itself survived. */
export interface InterruptedRuns {
  /** Adds a run that ended before its operation did, and notes it at once if PostgreSQL can be reached. */
  add(operation: OperationRow, error: unknown): Promise<void>;
  /** Notes in the database those that could not be noted before. @throws when PostgreSQL is away */
  noteAll(): Promise<void>;
}

/**
 * @param stopping aborted when the server stops: another process may go on at once
 * @param onError is called with other errors than a stop, PostgreSQL's absence and locks, and with a refused login, which only people mend
 */
export function makeInterruptedRuns(
  context: Context,
  stopping: AbortSignal,
  onError: (error: unknown) => void,
): InterruptedRuns {
  const waiting: { id: string; isOutlived: boolean; seconds: number }[] = [];
  const noteWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, ...rest } = next;
      await postponeRun(context.platform, id, rest).catch((error: unknown) => {
        waiting.unshift({ id, ...rest });
        throw error;
      });
    }
  };
  let noting = Promise.resolve();
  // One after another: a note that must be written again would otherwise replace the pause of a later run.
  const noteAll = () => {
    noting = noting.catch(() => {}).then(noteWaiting);
    return noting;
  };
  return {
    async add({ id, attempts }, error) {
      const isOutlived = stopping.aborted || isTemporary(error);
      if (!isOutlived || isLoginRefused(error)) onError(error);
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));
      waiting.push({ id, isOutlived, seconds: stopping.aborted ? 0 : pause });
      await noteAll().catch(() => {});
    },
    noteAll,
  };
}

/** Whether the cause is none of the operation's: PostgreSQL is away, somebody holds a lock for long, or a disk is full. */
const isTemporary = (error: unknown): boolean =>
  isDatabaseAway(error) || isLockTimeout(error) || isStatementCancelled(error) || fullDisk(error) !== undefined;
