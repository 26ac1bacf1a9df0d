import type { Context } from '../context.ts';
import { isDatabaseAway } from '../db/errors/postgres-errors.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import { giveUp, hasSucceeded } from './ending.ts';
import { findReasonToGiveUp, isUnknowable, LAST_PAUSE, makeCutOffs } from './lives.ts';
import type { OperationKind, OperationsContext } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { beginRun } from './run.ts';
import { ifOperationUnlocked, noteRest, startRun } from './runs.repository.ts';
import { type Jobless, listCancelled, listOperationsWithoutJob } from './waiting-operations.repository.ts';

/** How often operations that were cut off are looked for, in milliseconds. */
const RECOVERY_INTERVAL = 1_000;

/** Runs queued operations in this server process until it is stopped. */
export interface OperationEngine {
  /** Begins to take operations from the queue, and to look for those that were cut off: they are begun anew. */
  start(): Promise<void>;
  /** Cuts off what can be cancelled, to be begun anew at the next start, and waits for the rest. */
  stop(): Promise<void>;
}

/** @param onError is told of failures that are not the operation's own */
export function makeEngine(context: OperationsContext, onError: (error: unknown) => void): OperationEngine {
  const names = [...context.kinds.values()].map(({ name }) => name);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cutOffs = makeCutOffs(context, stopping.signal, onError);
  let recovering: Promise<void> = Promise.resolve();

  const perform = async (id: string): Promise<void> => {
    let wasCutOff = false;
    const wasFree = await ifUnlocked(context, id, async (connection) => {
      const operation = await startRun(connection, id, names, context.now());
      const kind = operation && context.kinds.get(operation.kind);
      if (!operation || !kind) return;
      const surroundings = { stopping: stopping.signal, onError };
      await runOperation(context, connection, operation, kind, surroundings).catch((error: unknown) => {
        wasCutOff = true;
        return cutOffs.add(operation, error);
      });
    }).catch((error: unknown) => {
      // The lock went with the session.
      if (!wasCutOff) throw error;
      return false;
    });
    // Whoever else has the lock may still be running it.
    if (wasFree) context.queue.ended.emit(id);
  };

  const recover = () => {
    recovering = recovering
      .then(() => cutOffs.noteAll())
      .then(() => endCancelled(context, perform))
      .then(() => requeueAbandoned(context))
      .catch(onError);
  };

  return {
    async start() {
      await context.queue.work(perform);
      recover();
      timer = setInterval(recover, RECOVERY_INTERVAL);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await recovering;
      await context.queue.stop();
      await cutOffs.noteAll().catch(onError);
    },
  };
}

/** Runs `work` under the operation's lock, unless somebody else has it. */
function ifUnlocked(context: Context, id: string, work: (connection: Platform) => Promise<void>): Promise<boolean> {
  return context.utility
    .connection()
    .execute((connection) => ifOperationUnlocked(connection, id, () => work(connection)));
}

/**
 * Ends what was cancelled while it waits, anew after a killed process too: all workers may be busy for hours. A run that begins as
 * cancelled does nothing but end, and one that is under way has the lock and ends by itself.
 */
async function endCancelled(context: Context, perform: (id: string) => Promise<void>): Promise<void> {
  for (const id of await listCancelled(context.platform)) await perform(id);
}

/**
 * Queues anew what no process runs and no job waits for: its process was killed. The lock belongs to the session that did the work, so
 * it is free only once PostgreSQL has ended a killed server's last statement.
 */
async function requeueAbandoned(context: OperationsContext): Promise<void> {
  for (const operation of await listOperationsWithoutJob(context.platform)) {
    const { id } = operation;
    await ifUnlocked(context, id, (connection) => {
      if (isLeftToOthers(context, operation))
        return noteRest(connection, id, { isOutlived: false, seconds: LAST_PAUSE });
      return connection.transaction().execute((trx) => context.queue.send(trx, [operation]));
    });
    context.queue.wake();
  }
  // For what another process has queued.
  context.queue.wake();
}

/** It is about to be given up, and a process that outlived its last run may not have said so yet. */
function isLeftToOthers({ kinds }: OperationsContext, operation: Jobless): boolean {
  const kind = kinds.get(operation.kind);
  return kind !== undefined && !operation.hasRested && findReasonToGiveUp(kind, operation) !== undefined;
}

interface Surroundings {
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

/** @throws what cut the run off before the operation came to an end */
async function runOperation(
  context: Context,
  connection: Platform,
  operation: OperationRow,
  kind: OperationKind,
  { stopping, onError }: Surroundings,
): Promise<void> {
  const before = { ...operation, attempts: operation.attempts - 1 };
  const input = kind.input.parse(operation.input);
  const run = beginRun(context, connection, operation, kind, stopping);
  const broken = { run, kind, input, operation };
  try {
    if (operation.cancelRequested && operation.cancellable) throw new AppError('cancelled');
    const reason = findReasonToGiveUp(kind, before);
    if (reason) throw reason;
    await kind.run(run, input);
  } catch (error) {
    // PostgreSQL is gone and nothing can be noted or taken back, or this server stops: the run is begun anew.
    if (isDatabaseAway(error) || stopping.aborted) throw error;
    if (kind.complete && isUnknowable(before)) return await giveUp(broken, unknown(), onError);
    if (await hasSucceeded(broken)) return;
    if (!(error instanceof AppError) || error.code === 'internal') onError(error);
    await giveUp(broken, error, onError);
  } finally {
    run.stop();
  }
}

const unknown = (): AppError =>
  new AppError('interrupted', {
    message:
      "Whether this was done could not be found out: the reason is in the server's log. Please look at the data.",
  });
