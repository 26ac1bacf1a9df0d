import { SERVER_ACTOR } from '../../../../actor.ts';
import { appendAudit } from '../../../../audit/audit.service.ts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../errors.ts';
import { startOperation } from '../../../../operations/operations.service.ts';
import { startWorker, type Worker } from '../../../../worker.ts';
import { attemptEach } from '../../attempt-each.ts';
import { getDatabaseById } from '../../databases.service.ts';
import { backupOperation } from '../backup.operation.ts';
import { deleteBackup } from '../backups.service.ts';
import { runProofs } from '../proof/proofs.ts';
import { planRetention, reasonOf } from './retention.ts';
import {
  advanceMadeRuns,
  advanceRun,
  type DueRun,
  type EndedRun,
  hasUnsettledRuns,
  ifNobodyTicks,
  LONGEST_PAUSE,
  listDueRuns,
  listEndedRuns,
  listScheduledBackups,
  markLate,
  planRuns,
  postponeFailedRun,
} from './schedule-runs.repository.ts';

/** How many scheduled backups wait or run at once, of all server processes together. */
export const SCHEDULED_AT_ONCE = 2;
/** The pause after the first failure, in milliseconds; each further failure doubles it. */
const FIRST_PAUSE = 300_000;
/** What stands in the way of a start, and goes by itself: an operation on the database, or its end. */
const PASSING: readonly string[] = ['busy', 'conflict', 'not-found'];

/**
 * One tick of the schedules: deals with the backups that have ended, says what is due, and starts what there is room for. A kill at
 * any place loses nothing: the next tick, of any server, goes by what the control database says.
 * @param isFollowUp comes less than a minute after the last whole tick: it does not look for schedules and time zones that are new
 * @returns whether scheduled backups wait or run now
 * @throws AggregateError when some of it failed; the rest is done
 */
export async function runSchedules(context: Context, { isFollowUp = false } = {}): Promise<boolean> {
  await context.utility
    .connection()
    .execute((connection) => ifNobodyTicks(connection, () => tick(context, isFollowUp)));
  return hasUnsettledRuns(context.platform);
}

/** How often the schedules tick, in milliseconds. */
const TICK = 60_000;
/** How often they tick while scheduled backups or proofs wait or run, so that the next one follows when one ends. */
const BUSY_TICK = 2_000;

/** Lets schedules and proofs tick until it is stopped. Every server process does: what one has started no other one starts. */
export function startScheduleClock(context: Context, onError: (error: unknown) => void): Worker {
  let lastWhole = Number.NEGATIVE_INFINITY;
  const attempt = (work: () => Promise<boolean>) =>
    work().catch((error: unknown) => {
      onError(error);
      return false;
    });
  return startWorker(async () => {
    const isFollowUp = performance.now() - lastWhole < TICK - BUSY_TICK;
    if (!isFollowUp) lastWhole = performance.now();
    const isBusy = [
      await attempt(() => runSchedules(context, { isFollowUp })),
      await attempt(() => runProofs(context)),
    ].includes(true);
    return isBusy ? BUSY_TICK : TICK;
  });
}

async function tick(context: Context, isFollowUp: boolean): Promise<void> {
  const { platform } = context;
  const settle = async () =>
    attemptEach(await listEndedRuns(platform), (run) => settleRun(context, run), 'ends not settled');
  const plan = async () => {
    await advanceMadeRuns(platform, context.now());
    await planRuns(platform, context.now());
  };
  const start = async () => {
    const due = await listDueRuns(platform, context.now(), SCHEDULED_AT_ONCE);
    await attemptEach(due, (run) => startRun(context, run), 'backups not started');
  };
  const mark = () => markLate(platform, context.now());
  const steps = isFollowUp ? [settle, start, mark] : [settle, plan, start, mark];
  await attemptEach(steps, (step) => step(), 'steps of the backup schedules failed');
}

async function startRun(context: Context, { databaseId, dueAt, failures }: DueRun): Promise<void> {
  const input = { databaseId, dueOnUtc: dueAt.toISOString() };
  await startOperation(context, SERVER_ACTOR, backupOperation, input).catch(async (error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    if (PASSING.includes(error.code)) return;
    const failure = { databaseId, operationId: null, message: error.message, endedAt: context.now() };
    await context.platform.transaction().execute(async (trx) => {
      await postponeFailedRun(trx, { ...failure, pause: pauseAfter(failures) });
      const { name: databaseName } = await getDatabaseById(trx, databaseId);
      await appendAudit(context, trx, {
        actor: SERVER_ACTOR,
        action: 'databases.backup-failed',
        entity: 'databases',
        entityId: databaseId,
        changes: { databaseName, reason: error.message },
      });
    });
  });
}

async function settleRun(context: Context, run: EndedRun): Promise<void> {
  if (run.result === 'failed') {
    return postponeFailedRun(context.platform, { ...run, pause: pauseAfter(run.failures) });
  }
  // Before the end is noted: a kill in between does it again.
  if (run.result === 'succeeded') await applyRetention(context, run);
  await advanceRun(context.platform, run);
}

function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures);
}

/** Removes the backups that a database's schedule keeps no longer. One that is being restored goes with the next backup. */
async function applyRetention(context: Context, run: EndedRun): Promise<void> {
  const stores = context.stores.places.map(({ name }) => name);
  const backups = await listScheduledBackups(context.platform, run, stores);
  for (const { id } of planRetention(backups, run)) {
    await deleteBackup(context, SERVER_ACTOR, id, reasonOf(run)).catch((error: unknown) => {
      if (!(error instanceof AppError && PASSING.includes(error.code))) throw error;
    });
  }
}
