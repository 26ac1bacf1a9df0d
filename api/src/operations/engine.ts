import type { Context } from '../context.ts';
import { atHome, isAtHome } from '../db/cluster/session.ts';
import { HOME_SERVER, onClusterSession, pingServer } from '../db/clusters.ts';
import { isDatabaseAway } from '../db/errors/postgres-errors.ts';
import { ANY_ENDED, type EndedOperation, type Perform } from '../db/operation-queue.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import { skipWhileRunning } from '../skip-while-running.ts';
import { traced } from '../tracing/tracing.ts';
import { endUnbegun, giveUp, hasSucceeded, isCancelled, otherVersion, readInput } from './ending.ts';
import {
  findReasonToGiveUp,
  type InterruptedRuns,
  isOutcomeUnknown,
  LAST_PAUSE,
  makeInterruptedRuns,
} from './lives.ts';
import type { OperationKind, OperationsContext } from './operation-kind.ts';
import type { OperationRow } from './operations.repository.ts';
import { beginRun, type RunPlace } from './run.ts';
import {
  findServerOf,
  ifOperationUnlocked,
  noteBegin,
  postponeRun,
  startRun,
  withOperationLock,
} from './runs.repository.ts';
import { listCancelled, listOperationsWithoutJob, type OperationWithoutJob } from './waiting-operations.repository.ts';

/** How often interrupted operations are searched for, in milliseconds. */
const RECOVERY_INTERVAL = 1_000;

/** For how long the engine may not come to look for interrupted operations until it counts as down, in milliseconds. */
const SILENCE = 30_000;

/** Runs queued operations in this server process until it is stopped. */
export interface OperationEngine {
  /** Starts to take operations from the queue, and to run interrupted ones again. */
  start(): Promise<void>;
  /** Whether it takes operations: it was started, and has looked for interrupted ones within the last {@link SILENCE}. */
  isWorking(): boolean;
  /** Interrupts the operations that can be cancelled, which run again after the next start, and waits for the others. */
  stop(): Promise<void>;
}

/** @param onError is called with errors that are not an operation's own failure */
export function makeEngine(context: OperationsContext, onError: (error: unknown) => void): OperationEngine {
  const stopping = new AbortController();
  const interruptedRuns = makeInterruptedRuns(context, stopping.signal, onError);
  const surroundings: Surroundings = { stopping: stopping.signal, running: new Set(), undone: new Map(), onError };
  const perform = makePerform(context, interruptedRuns, surroundings);
  let timer: NodeJS.Timeout | undefined;
  // What ends a cancelled operation may wait for long, for its server or its lock there. The others are looked for meanwhile.
  const rounds = { recovering: skipWhileRunning(), ending: skipWhileRunning() };
  let lastLook = Number.NEGATIVE_INFINITY;

  let isTaking = false;
  const take = async () => {
    if (isTaking) return;
    await context.queue.work(perform);
    isTaking = true;
  };

  const recover = () => {
    rounds.ending.begin(() => endCancelled(context, perform, stopping.signal).catch(onError));
    rounds.recovering.begin(() =>
      take()
        .then(() => interruptedRuns.noteAll())
        .then(() => requeueAbandoned(context, surroundings))
        .then(() => {
          lastLook = performance.now();
        })
        .catch(onError),
    );
  };

  return {
    async start() {
      await take().catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
        // A server that answers already outlives this. It is tried again each second.
        onError(error);
      });
      recover();
      timer = setInterval(recover, RECOVERY_INTERVAL);
    },
    isWorking: () => performance.now() - lastLook < SILENCE,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(Object.values(rounds).map(({ end }) => end()));
      await context.queue.stop();
      await interruptedRuns.noteAll().catch(onError);
    },
  };
}

/** Runs one operation of the queue, unless another session has its lock. */
function makePerform(
  context: OperationsContext,
  interruptedRuns: InterruptedRuns,
  surroundings: Surroundings,
): Perform {
  const names = namesOf(context);
  const perform: Perform = async (id, cause) => {
    // A run that this process has survived, and could not note, must not count as one that killed it.
    await interruptedRuns.noteAll();
    let wasInterrupted = false;
    const wasFree = await ifUnlocked(context, id, async (connection) => {
      const operation = await startRun(connection, id, names, context.now());
      const kind = operation && context.kinds.get(operation.kind);
      if (!operation || !kind) return;
      const start = { kind: 'internal' as const, cause, attributes: attributesOf(operation) };
      const run = (place: RunPlace) =>
        traced(`operation ${kind.name}`, start, () => runOperation(context, place, operation, kind, surroundings));
      const ended = onServerOf(context, connection, operation, run).catch((error: unknown) =>
        endUnbegun(context, connection, operation, kind, { ...surroundings, error }),
      );
      await ended.then(
        (state) => context.queue.ended.emit(ANY_ENDED, { kind: kind.name, state } satisfies EndedOperation),
        (error: unknown) => {
          wasInterrupted = true;
          return interruptedRuns.add(operation, error);
        },
      );
    }).catch((error: unknown) => {
      // The session is lost, and its lock with it.
      if (!wasInterrupted) throw error;
      return false;
    });
    // Otherwise another process has the lock, and may still be running it.
    if (wasFree) context.queue.ended.emit(id);
  };
  const { running } = surroundings;
  return async (id, cause) => {
    // A run that has lost its lock comes to its end before the next one begins.
    if (running.has(id)) return;
    running.add(id);
    await perform(id, cause).finally(() => running.delete(id));
  };
}

/** The kinds that this server knows. */
const namesOf = ({ kinds }: OperationsContext) => [...kinds.values()].map(({ name }) => name);

/** Runs `work` under the operation's lock, unless another session has it. @returns whether it was free */
function ifUnlocked(context: Context, id: string, work: (connection: Platform) => Promise<void>): Promise<boolean> {
  return context.utility
    .connection()
    .execute((connection) => ifOperationUnlocked(connection, id, () => work(connection)));
}

/**
 * Ends operations that were cancelled while they wait, as all workers may be busy for hours. The run of a cancelled operation only
 * ends it. One that is running has its lock, and ends itself.
 */
async function endCancelled(context: Context, perform: Perform, stopping: AbortSignal): Promise<void> {
  for (const id of await listCancelled(context.platform)) {
    if (stopping.aborted) return;
    await perform(id);
  }
}

/**
 * Queues operations again that no process runs and no job waits for: their process was killed. The lock belongs to the session that
 * did the work, so it is free only when PostgreSQL has ended the killed process's last statement.
 */
async function requeueAbandoned(context: OperationsContext, { stopping, running }: Surroundings): Promise<void> {
  for (const operation of await listOperationsWithoutJob(context.platform, namesOf(context))) {
    if (stopping.aborted) return;
    const { id } = operation;
    if (running.has(id)) continue;
    await ifUnlocked(context, id, (connection) => {
      if (mayHaveSurvived(context, operation))
        return postponeRun(connection, id, { isOutlived: false, seconds: LAST_PAUSE });
      return connection.transaction().execute((trx) => context.queue.sendAnew(trx, operation));
    });
    context.queue.wake();
  }
  // For operations that other processes have queued.
  context.queue.wake();
}

/**
 * Whether an operation would be given up although it may have a life left: a process that survived its last run may not have noted
 * that yet.
 */
function mayHaveSurvived({ kinds }: OperationsContext, operation: OperationWithoutJob): boolean {
  const kind = kinds.get(operation.kind);
  return kind !== undefined && !operation.wasPostponed && findReasonToGiveUp(kind, operation) !== undefined;
}

/** Runs `work` with a session on the server of an operation's database. On the control database's own server it is the same session. */
async function onServerOf(
  context: Context,
  connection: Platform,
  operation: OperationRow,
  work: (place: RunPlace) => Promise<EndedOperation['state']>,
): Promise<EndedOperation['state']> {
  const server = await context.clusters.of((await findServerOf(connection, operation)) ?? HOME_SERVER);
  if (server.id === HOME_SERVER) return work({ ...atHome(connection), server });
  // What waits for a session on a silent server could not be cancelled meanwhile.
  await pingServer(server);
  return onClusterSession(server, (cluster) =>
    withOperationLock(cluster, operation.id, () => work({ connection, cluster, server })),
  );
}

interface Surroundings {
  stopping: AbortSignal;
  /** Ids of the operations that this process runs. */
  running: Set<string>;
  /** Why operations were undone whose end could not be written, by their ids. They must not run again, as what they need is gone. */
  undone: Map<string, unknown>;
  onError: (error: unknown) => void;
}

/** @returns how the operation ended @throws what interrupted the run before that */
async function runOperation(
  context: Context,
  place: RunPlace,
  operation: OperationRow,
  kind: OperationKind,
  { stopping, undone, onError }: Surroundings,
): Promise<EndedOperation['state']> {
  const before = { ...operation, attempts: operation.attempts - 1 };
  const { isReadable, ...asked } = readInput(kind, operation);
  const run = beginRun(context, place, operation, kind, stopping);
  const broken = { ...asked, run, operation };
  try {
    const isBegun = operation.startedAt !== null;
    if (isCancelled(operation) && (isReadable || !isBegun)) throw new AppError('cancelled');
    if (!isReadable) throw otherVersion();
    const reason = undone.get(operation.id) ?? findReasonToGiveUp(kind, before);
    if (reason) throw reason;
    await noteBegin(run.connection, operation.id, context.now(), !isAtHome(place));
    await kind.run(run, asked.input);
    return 'succeeded';
  } catch (error) {
    // PostgreSQL is away, so nothing can be noted or undone, or this server stops: the operation runs again later.
    if (isDatabaseAway(error) || stopping.aborted) throw error;
    // Nor may anything be undone where another run may have begun.
    await run.checkLock();
    if (broken.kind.complete && isOutcomeUnknown(before)) return await giveUp(broken, unknown(), onError);
    if (await hasSucceeded(broken)) return 'succeeded';
    if (!(error instanceof AppError) || error.code === 'internal') onError(error);
    undone.set(operation.id, error);
    const state = await giveUp(broken, error, onError);
    undone.delete(operation.id);
    return state;
  } finally {
    await run.stop();
  }
}

/** What the trace of a run says of its operation: no name of a database or person. */
const attributesOf = ({ id, kind, attempts }: OperationRow) => ({
  'apotheca.operation.id': id,
  'apotheca.operation.kind': kind,
  'apotheca.operation.attempt': attempts,
});

const unknown = (): AppError =>
  new AppError('interrupted', {
    message:
      "Whether this was done could not be found out: the reason is in the server's log. Please look whether it was done, and start it anew if it was not.",
  });
