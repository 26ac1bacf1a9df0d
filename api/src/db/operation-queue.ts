import { EventEmitter } from 'node:events';
import type { OperationKindName } from '@apotheca/contract/operations';
import { sql } from 'kysely';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { currentTraceparent, inSpan, isTracing } from '../tracing/tracing.ts';
import { prepared } from './connections/prepared-statements.ts';
import { sessionSettings } from './connections/session-settings.ts';
import { onBudget } from './connections/time-budget.ts';
import { apartFromAttempts } from './keyed-calls.ts';
import type { Trx } from './platform.ts';

/** Name of pg-boss's queue of operations. */
export const QUEUE = 'operations';
/** pg-boss's own schema in the control database. */
export const QUEUE_SCHEMA = 'pgboss';
/** How many operations one server process runs at once; each takes a connection of the pool for utility commands. */
const CONCURRENCY = 4;
/** How many of one group it runs at once: so a kind that hangs leaves workers to the others. */
const CONCURRENCY_OF_GROUP = 2;
/** How often a server process looks for operations that another one queued, in seconds. */
const POLL = 2;
/** After how many seconds without a sign of its server process a job is given to another one. */
const HEARTBEAT = 30;
/** Priority of what the server starts itself, such as thousands of upgrades. What people start has 0 and comes first. */
const SERVER_PRIORITY = -1;
/** The group of what the server starts itself: whatever it does, people find a worker. What people start is grouped by kind. */
const SERVER_GROUP = 'server';

/** What `ended` of the queue emits besides the id of each operation, with an {@link EndedOperation}. */
export const ANY_ENDED = Symbol('ended');

/** An operation of this process that came to its end. */
export interface EndedOperation {
  kind: OperationKindName;
  state: 'succeeded' | 'failed' | 'cancelled';
}

/** The queue of operations (pg-boss). One server process runs each operation, even if the process that queued it is gone. */
export interface OperationQueue {
  /** Queues operations with one statement, in the transaction that inserts their rows. */
  send(trx: Trx, operations: readonly QueuedOperation[]): Promise<void>;
  /** Queues an operation anew, with the `traceparent` that its last job has. */
  sendAnew(trx: Trx, operation: QueuedOperation): Promise<void>;
  /** Tells an idle worker of this process that there is a new operation. */
  wake(): void;
  /** Emits the id of an operation of this process that has ended, and {@link ANY_ENDED} with how it did. */
  ended: EventEmitter;
  /** Starts to run queued operations. */
  work(perform: Perform): Promise<void>;
  /** Takes no more operations, and waits for those that this process is running. */
  stop(): Promise<void>;
}

/** Runs an operation. @param cause the `traceparent` of the request that queued it, where that was traced */
export type Perform = (operationId: string, cause?: string) => Promise<void>;

interface QueuedOperation {
  id: string;
  kind: OperationKindName;
  /** Who started it; null for the server itself. */
  actorId: string | null;
}

/** Installs or upgrades pg-boss's schema. */
export async function migrateQueue(url: string): Promise<void> {
  const boss = new PgBoss({ ...sessionSettings(url, 'upkeep'), max: 1, supervise: false, schedule: false });
  await boss.start();
  // Longer than any operation. Heartbeats show that its server process is still running.
  await boss.createQueue(QUEUE, {
    expireInSeconds: 86_000,
    heartbeatSeconds: HEARTBEAT,
    retryLimit: 20,
    retryDelay: 5,
  });
  await boss.stop({ graceful: false });
}

/**
 * Opens the queue over the pool of the control database.
 * @param onError is called with errors in the background; polling goes on
 */
export function openQueue(pool: pg.Pool, onError: (error: unknown) => void): OperationQueue {
  const boss = new PgBoss({
    db: { executeSql: (text, values = []) => pool.query(prepared(text, values)) },
    migrate: false,
    schedule: false,
  });
  boss.on('error', onError);
  const ended = new EventEmitter().setMaxListeners(0);
  let started: Promise<unknown> | undefined;
  const begin = async () => {
    try {
      await boss.start();
    } catch (error) {
      // PostgreSQL was away. Who needs the queue next starts it anew.
      await boss.stop({ graceful: false }).catch(() => {});
      started = undefined;
      throw error;
    }
  };
  const start = () => {
    // Without a budget, and no part of a call or of its trace, as its timers outlive the one that happens to start it.
    started ??= onBudget(undefined, () => apartFromAttempts(() => inSpan(undefined, begin)));
    return started;
  };
  const insert = async (trx: Trx, operations: readonly QueuedOperation[], cause: string | undefined) => {
    await start();
    const jobs = operations.map(({ id, kind, actorId }) => ({
      data: { operationId: id, ...(cause && { cause }) },
      priority: actorId === null ? SERVER_PRIORITY : 0,
      group: { id: actorId === null ? SERVER_GROUP : kind },
    }));
    await boss.insert(QUEUE, jobs, { db: fromKysely(trx) });
  };
  /** Ids of pg-boss's workers, the next to be woken first. */
  let workers: string[] = [];
  return {
    ended,
    send: (trx, operations) => insert(trx, operations, currentTraceparent()),
    async sendAnew(trx, operation) {
      // Looking for it reads all jobs of a week.
      const cause = isTracing() ? await findCause(trx, operation.id) : undefined;
      await insert(trx, [operation], cause);
    },
    wake() {
      const busy = new Set(boss.getWipData().flatMap(({ id, count }) => (count > 0 ? [id] : [])));
      const idle = workers.find((id) => !busy.has(id));
      // A busy worker looks for another operation when it is done.
      for (const id of workers) if (busy.has(id) || id === idle) boss.notifyWorker(id);
      // The next call wakes another worker, as each takes one operation.
      if (idle) workers = [...workers.filter((id) => id !== idle), idle];
    },
    async work(perform) {
      await start();
      const options = {
        pollingIntervalSeconds: POLL,
        localConcurrency: CONCURRENCY,
        localGroupConcurrency: CONCURRENCY_OF_GROUP,
      };
      await boss.work<{ operationId: string; cause?: string }>(QUEUE, options, async ([job]) => {
        if (job) await perform(job.data.operationId, job.data.cause);
      });
      workers = boss.getWipData().flatMap(({ id, name }) => (name === QUEUE ? [id] : []));
    },
    async stop() {
      if (!started) return;
      await started;
      await boss.stop({ graceful: true, timeout: 3_600_000 });
    },
  };
}

/** The `traceparent` of the call that started an operation, as its last job says. */
async function findCause(trx: Trx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ cause: string | null }>`
    select data ->> 'cause' as cause from pgboss.job
    where name = ${QUEUE} and data ->> 'operationId' = ${id} order by created_on desc limit 1`.execute(trx);
  return rows[0]?.cause ?? undefined;
}
