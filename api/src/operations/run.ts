import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Platform, Trx } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import type { OperationKind, Outcome, Run } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { markSucceeded, updateProgress } from './runs.repository.ts';

/** How often a run shows that it goes on, and looks whether it is to be cancelled, in milliseconds. */
const HEARTBEAT = 1_000;

/** A run with what its engine needs besides. */
export interface EngineRun extends Run {
  /** Whether {@link Run.succeed} was called and its transaction is through. */
  hasSucceeded(): boolean;
  /** Whether the present step can be cancelled. */
  isCancellable(): boolean;
  /** Ends the heartbeat. */
  stop(): void;
}

/**
 * Begins a run of an operation: keeps its row up to date and watches for a cancellation.
 * @param stopping aborted when the server stops
 */
export function beginRun(
  context: Context,
  connection: Platform,
  operation: OperationRow,
  kind: OperationKind,
  stopping: AbortSignal,
): EngineRun {
  const { id, steps } = operation;
  const cancelling = new AbortController();
  let step = 0;
  // The row of a first run says already that it is at its first step.
  let noted = operation.attempts === 1 ? 0 : undefined;
  let fraction = 0;
  let succeeded = false;
  let highest = 0;
  const began = performance.now();

  // Where a step cannot tell how far it is, the time that such operations took tells better; it never goes back.
  const percent = () => {
    const bySteps = ((step + Math.min(1, fraction)) / steps.length) * 100;
    const byTime = operation.expectedMs ? ((performance.now() - began) / operation.expectedMs) * 90 : 0;
    highest = Math.max(highest, Math.floor(Math.min(99, Math.max(bySteps, Math.min(90, byTime)))));
    return highest;
  };
  const isCancellable = () => kind.steps[step]?.cancellable === true;
  const abort = (code: 'cancelled' | 'interrupted') => {
    if (isCancellable()) cancelling.abort(new AppError(code));
  };
  const beat = async () => {
    const isUnwanted = await updateProgress(context.platform, id, {
      percent: percent(),
      heartbeatAt: context.now(),
    });
    if (isUnwanted) abort('cancelled');
  };
  let isBeating = false;
  // One that waits takes a connection: there is no second one meanwhile.
  const beatOnce = async () => {
    if (isBeating) return;
    isBeating = true;
    await beat().finally(() => {
      isBeating = false;
    });
  };
  // A heartbeat that does not get through is missed by nobody but the reader of the panel.
  const timer = setInterval(() => void beatOnce().catch(() => {}), HEARTBEAT);
  const onStopping = () => abort('interrupted');
  stopping.addEventListener('abort', onStopping);

  return {
    context,
    connection,
    operationId: id,
    attempt: operation.attempts,
    actor: actorOf(operation),
    signal: cancelling.signal,
    progress(value) {
      fraction = value;
    },
    async step(index) {
      // Asked for while the step before was still one that can be taken back.
      if (stopping.aborted) abort('interrupted');
      cancelling.signal.throwIfAborted();
      const wasCancellable = isCancellable();
      step = index;
      fraction = 0;
      if (index === noted) return;
      noted = index;
      const isUnwanted = await updateProgress(context.platform, id, {
        step,
        // What an earlier run may have committed can no longer be taken back by this one.
        cancellable: isCancellable() && (operation.attempts === 1 || operation.cancellable),
        percent: percent(),
        heartbeatAt: context.now(),
      });
      if (isUnwanted && (wasCancellable || isCancellable())) throw new AppError('cancelled');
    },
    async succeed(trx: Trx, outcome: Outcome) {
      await markSucceeded(trx, id, { ...outcome, at: context.now() });
      succeeded = true;
    },
    hasSucceeded: () => succeeded,
    isCancellable,
    stop() {
      clearInterval(timer);
      stopping.removeEventListener('abort', onStopping);
    },
  };
}

/** Who started an operation. */
export const actorOf = ({ actorId, actorName, address }: OperationRow): Actor => ({
  id: actorId,
  name: actorName,
  address,
});
