import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../db/errors/postgres-errors.ts';
import { AppError } from '../errors.ts';
import { currentSpan, inSpan } from '../tracing/tracing.ts';
import type { OperationKind, Run } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { checkLock, markSucceeded, updateProgress } from './runs.repository.ts';

/** How often a run notes that it goes on, and checks whether somebody cancelled it and whether it still has its lock, in milliseconds. */
const HEARTBEAT = 1_000;
/** The percentage after the expected time; the rest is for operations that take longer. */
const MOST_BY_TIME = 90;

/** Where a run works. */
export type RunPlace = Pick<Run, 'connection' | 'cluster' | 'server'>;

/** A run with what its engine needs in addition. */
export interface EngineRun extends Run {
  /** Whether {@link Run.succeed} was called and its statement did not fail. */
  hasSucceeded(): boolean;
  /** Whether the present step can be cancelled. */
  isCancellable(): boolean;
  /** @throws where the run has lost its lock: nothing that it does from then on may count */
  checkLock(): Promise<void>;
  /** Ends the heartbeat. Afterwards nothing more is asked of the session that has the lock. */
  stop(): Promise<void>;
}

/**
 * Begins a run of an operation: keeps its row up to date, and watches for a cancellation and for the loss of its lock.
 * @param stopping aborted when the server stops
 */
export function beginRun(
  context: Context,
  place: RunPlace,
  operation: OperationRow,
  kind: OperationKind,
  stopping: AbortSignal,
): EngineRun {
  const { id, attempts } = operation;
  const progress = trackProgress(operation);
  const cancelling = new AbortController();
  let hasSucceeded = false;

  const isCancellable = () => kind.steps[progress.step]?.cancellable === true;
  const abort = (code: 'cancelled' | 'interrupted') => {
    if (isCancellable()) cancelling.abort(new AppError(code));
  };
  const noteProgress = (step?: { step: number; cancellable: boolean }) =>
    updateProgress(context.platform, id, { ...step, percent: progress.percent(), heartbeatAt: context.now() });
  const stopHeartbeat = startHeartbeat(async () => {
    if (await noteProgress()) abort('cancelled');
  });
  // Most of its work goes over other sessions, which do not notice, and another process may begin the next run.
  const stopAsking = startHeartbeat(() =>
    checkLock(place.connection).catch((error: unknown) => {
      if (isDatabaseAway(error)) cancelling.abort(error);
    }),
  );
  const onStopping = () => abort('interrupted');
  stopping.addEventListener('abort', onStopping);

  return {
    context,
    connection: place.connection,
    // Read when they are needed: there may be none.
    get cluster() {
      return place.cluster;
    },
    get server() {
      return place.server;
    },
    operationId: id,
    attempt: attempts,
    actor: actorOf(operation),
    signal: cancelling.signal,
    progress: progress.setFraction,
    async step(index) {
      // The server may have been told to stop while the step before could still be cancelled.
      if (stopping.aborted) abort('interrupted');
      cancelling.signal.throwIfAborted();
      const wasCancellable = isCancellable();
      currentSpan()?.addEvent(kind.steps[index]?.name ?? '');
      if (!progress.goTo(index)) return;
      // An earlier run may have committed something that this one cannot take back.
      const cancellable = isCancellable() && (attempts === 1 || operation.cancellable);
      const isCancelRequested = await noteProgress({ step: index, cancellable });
      if (isCancelRequested && (wasCancellable || isCancellable())) throw new AppError('cancelled');
      await checkLock(place.connection);
    },
    async succeed(trx, outcome) {
      await markSucceeded(trx, id, { ...outcome, at: context.now() });
      hasSucceeded = true;
    },
    hasSucceeded: () => hasSucceeded,
    isCancellable,
    checkLock: () => checkLock(place.connection),
    async stop() {
      void stopHeartbeat();
      stopping.removeEventListener('abort', onStopping);
      await stopAsking();
    },
  };
}

/** How far a run is. */
function trackProgress({ attempts, steps, expectedMs }: OperationRow) {
  const began = performance.now();
  let step = 0;
  // The row of a first run already says that it is at its first step.
  let noted = attempts === 1 ? 0 : undefined;
  let fraction = 0;
  let highest = 0;
  return {
    /** Index of the present step. */
    get step() {
      return step;
    },
    /** @param value how much of the present step is done, 0 to 1 */
    setFraction(value: number) {
      fraction = value;
    },
    /** Goes on to a step. @returns whether the operation's row does not say so yet */
    goTo(index: number): boolean {
      step = index;
      fraction = 0;
      if (index === noted) return false;
      noted = index;
      return true;
    },
    /** Never goes back. Where a step cannot tell how far it is, the time that earlier operations of the kind took tells it better. */
    percent(): number {
      const bySteps = ((step + Math.min(1, fraction)) / steps.length) * 100;
      const byTime = expectedMs ? ((performance.now() - began) / expectedMs) * MOST_BY_TIME : 0;
      highest = Math.max(highest, Math.floor(Math.min(99, Math.max(bySteps, Math.min(MOST_BY_TIME, byTime)))));
      return highest;
    },
  };
}

/** Calls `beat` every second, never twice at once: each call takes a connection. @returns ends it, and waits for the present call */
function startHeartbeat(beat: () => Promise<void>): () => Promise<void> {
  let present: Promise<void> | undefined;
  const beatOnce = () => {
    // Only the readers of the activity panel miss a heartbeat that fails.
    present ??= beat()
      .catch(() => {})
      .finally(() => {
        present = undefined;
      });
  };
  // Its statements, one a second, are no part of the run's trace.
  const timer = inSpan(undefined, () => setInterval(beatOnce, HEARTBEAT));
  return async () => {
    clearInterval(timer);
    await present;
  };
}

/** Who started an operation. */
export const actorOf = ({ actorId, actorName, address }: OperationRow): Actor => ({
  id: actorId,
  name: actorName,
  address,
});
