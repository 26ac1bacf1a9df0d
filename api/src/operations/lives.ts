import type { Context } from '../context.ts';
import { isDatabaseAway, isLockTimeout, isStatementCancelled } from '../db/errors/postgres-errors.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { noteRest } from './runs.repository.ts';

/** So many server processes may die in an operation. */
const LIVES = 3;
/** So often it is asked, at the longest, whether what is to be given up was done already. */
const ANSWERS_WAITED_FOR = 10;
/** The first pause of an operation that was cut off, in seconds; each further one is twice as long. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 32;

/**
 * The pause before an operation is given up, in seconds. A process that outlived its run can say so only when PostgreSQL is back, and
 * another one may see the operation first.
 */
export const LAST_PAUSE = 3;

type Counted = Pick<OperationRow, 'attempts' | 'outlived' | 'step'>;

const livesUsedBy = ({ attempts, outlived }: Counted): number => attempts - outlived;

/** Why an operation is not begun anew. @param before as it was before this run. @returns undefined: it is begun */
export function findReasonToGiveUp(kind: OperationKind, before: Counted): AppError | undefined {
  const livesUsed = livesUsedBy(before);
  const reason = livesUsed > 0 ? kind.steps[before.step]?.givenUpBecause : undefined;
  if (reason) return new AppError('interrupted', { message: reason });
  return livesUsed >= LIVES ? new AppError('interrupted') : undefined;
}

/** Whether it was asked in vain, again and again, if an operation was done. */
export const isUnknowable = (before: Counted): boolean => livesUsedBy(before) >= LIVES + ANSWERS_WAITED_FOR;

/** What cut runs of this server process off, though it lives. */
export interface CutOffs {
  /** Notes a run that ended without an end of its operation, at once if PostgreSQL can be reached. */
  add(operation: OperationRow, error: unknown): Promise<void>;
  /** Notes those that could not be noted before. @throws when PostgreSQL is away */
  noteAll(): Promise<void>;
}

/**
 * @param stopping aborted when the server stops: another process may go on at once
 * @param onError is told what is neither PostgreSQL's absence nor that
 */
export function makeCutOffs(context: Context, stopping: AbortSignal, onError: (error: unknown) => void): CutOffs {
  const waiting: { id: string; isOutlived: boolean; seconds: number }[] = [];
  const noteAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, ...rest } = next;
      await noteRest(context.platform, id, rest).catch((error: unknown) => {
        waiting.unshift({ id, ...rest });
        throw error;
      });
    }
  };
  return {
    async add({ id, attempts }, error) {
      const isOutlived = stopping.aborted || isPassing(error);
      if (!isOutlived) onError(error);
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));
      waiting.push({ id, isOutlived, seconds: stopping.aborted ? 0 : pause });
      await noteAll().catch(() => {});
    },
    noteAll,
  };
}

/** What ends by itself: PostgreSQL is away, or somebody keeps a lock for long. */
const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || isLockTimeout(error) || isStatementCancelled(error);
