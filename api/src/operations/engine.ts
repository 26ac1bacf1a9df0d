import { isEnded } from '@apotheca/contract/operations';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import type { Platform } from '../db/platform.ts';
import { isDatabaseAway } from '../db/postgres-errors.ts';
import { refusalOf } from '../db/postgres-refusals.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from './operation-kind.ts';
import {
  findOperation,
  ifOperationUnlocked,
  listCancelled,
  listOperationsWithoutJob,
  markFailed,
  type OperationRow,
  startRun,
} from './operations.repository.ts';
import { actorOf, beginRun, type EngineRun } from './run.ts';

/** A run that was cut off is begun anew; one that was cut off so often is given up. */
const MAX_ATTEMPTS = 3;
/** How often operations that were cut off are looked for, in milliseconds. */
const RECOVERY_INTERVAL = 1_000;

/** Runs queued operations in this server process until it is stopped. */
export interface OperationEngine {
  /** Begins to take operations from the queue, and to look for those that were cut off: they are begun anew. */
  start(): Promise<void>;
  /** Cuts off what can be cancelled, to be begun anew at the next start, and waits for the rest. */
  stop(): Promise<void>;
}

/**
 * @param kinds all kinds of operation, by name
 * @param onError is told of failures that are not the operation's own
 */
export function makeEngine(
  context: Context,
  kinds: ReadonlyMap<string, OperationKind>,
  onError: (error: unknown) => void,
): OperationEngine {
  const names = [...kinds.values()].map(({ name }) => name);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let recovering: Promise<void> = Promise.resolve();

  const perform = async (id: string): Promise<void> => {
    const wasFree = await ifUnlocked(context, id, async (connection) => {
      const operation = await startRun(connection, id, names, context.now());
      const kind = operation && kinds.get(operation.kind);
      if (operation && kind) {
        await runOperation(context, connection, operation, kind, { stopping: stopping.signal, onError });
      }
    });
    // Whoever else has the lock may still be running it.
    if (wasFree) context.queue.ended.emit(id);
  };

  const recover = () => {
    recovering = recovering
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
async function requeueAbandoned(context: Context): Promise<void> {
  for (const { id, actorId } of await listOperationsWithoutJob(context.platform)) {
    await ifUnlocked(context, id, (connection) =>
      connection.transaction().execute((trx) => context.queue.send(trx, id, actorId)),
    );
    context.queue.wake();
  }
  // For what another process has queued.
  context.queue.wake();
}

interface Surroundings {
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

async function runOperation(
  context: Context,
  connection: Platform,
  operation: OperationRow,
  kind: OperationKind,
  { stopping, onError }: Surroundings,
): Promise<void> {
  const { attempts } = operation;
  const input = kind.input.parse(operation.input);
  const run = beginRun(context, connection, operation, kind, stopping);
  try {
    if (operation.cancelRequested && operation.cancellable) throw new AppError('cancelled');
    if (attempts > MAX_ATTEMPTS) throw new AppError('interrupted');
    await kind.run(run, input);
  } catch (error) {
    // PostgreSQL is gone and nothing can be noted or taken back, or this server stops: the run is begun anew.
    if ((isDatabaseAway(error) || stopping.aborted) && attempts < MAX_ATTEMPTS) throw error;
    if (run.hasSucceeded() && (await hasEnded(connection, operation.id))) return;
    if (!(error instanceof AppError) || error.code === 'internal') onError(error);
    await giveUp(run, kind, input, operation, { error, onError });
  } finally {
    run.stop();
  }
}

/** The transaction that made it succeed may have been rolled back after all. */
async function hasEnded(connection: Platform, id: string): Promise<boolean> {
  const row = await findOperation(connection, id);
  return row === undefined || isEnded(row.state);
}

async function giveUp(
  run: EngineRun,
  kind: OperationKind,
  input: unknown,
  operation: OperationRow,
  { error, onError }: { error: unknown; onError: (error: unknown) => void },
): Promise<void> {
  const { context, connection, operationId: id } = run;
  // What cannot be taken back now is settled later, as after a crash; the operation ends all the same.
  await kind.undo?.(run, input).catch((undoError: unknown) => {
    if (isDatabaseAway(undoError)) throw undoError;
    onError(undoError);
  });
  const known = toAppError(error, operation.databaseName);
  const state = known.code === 'cancelled' ? 'cancelled' : 'failed';
  const { errors, result } = known.details;
  const stored = { code: known.code, ...(errors && { errors }), ...(result !== undefined && { result }) };
  const at = context.now();
  await connection.transaction().execute(async (trx) => {
    await markFailed(trx, id, { state, message: known.message, error: stored, at });
    const event = {
      actor: actorOf(operation),
      action: `databases.${kind.name}-${state}`,
      entity: 'databases',
      entityId: operation.databaseId,
      changes: { databaseName: operation.databaseName, reason: known.message },
    };
    await appendAudit(trx, context.keys.audit, event, at);
  });
}

/** The failure in words for people: databases go by their shown name, never by that in PostgreSQL. */
function toAppError(error: unknown, databaseName: string): AppError {
  if (error instanceof AppError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const message = text.replace(/"?db_[0-9a-f]{32}[a-z0-9_]*"?/g, databaseName).replace(/[^.!?]$/, '$&.');
  return refusalOf(error) ?? new AppError('internal', { message });
}
