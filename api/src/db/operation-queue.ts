import { EventEmitter } from 'node:events';
import type { OperationKindName } from '@apotheca/contract/operations';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { prepared } from './connections/prepared-statements.ts';
import { sessionSettings } from './connections/session-settings.ts';
import { onBudget } from './connections/time-budget.ts';
import type { Trx } from './platform.ts';

/** Name of pg-boss's queue of operations. */
export const QUEUE = 'operations';
/** Operations that one server process runs at once; each holds a connection of the pool for utility commands. */
const CONCURRENCY = 4;
/** Of one kind it runs so many at once: what hangs leaves workers to the other kinds. */
const CONCURRENCY_OF_KIND = 2;
/** How often a server process looks for operations that another one queued, in seconds. */
const POLL = 2;
/** A job whose server process is gone for so long is given to another one, in seconds. */
const HEARTBEAT = 30;
/** What the server starts by itself, upgrades by the thousand, comes after what people start: they have 0. */
const SERVER_PRIORITY = -1;

/** The queue of operations (pg-boss): each queued operation is run by one server process, also when the one that queued it is gone. */
export interface OperationQueue {
  /** Queues operations in the transaction that notes them, in one statement. */
  send(trx: Trx, operations: readonly QueuedOperation[]): Promise<void>;
  /** Tells an idle worker of this process that an operation was queued. */
  wake(): void;
  /** Tells whoever waits in this process that an operation has ended: the event is its id. */
  ended: EventEmitter;
  /** Begins to run queued operations. */
  work(perform: (operationId: string) => Promise<void>): Promise<void>;
  /** Takes no further operations, and waits for those that this process is running. */
  stop(): Promise<void>;
}

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
  // Longer than any operation: its server process tells by heartbeats that it still runs.
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
 * @param onError is told what fails in the background; polling goes on
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
  const start = () => {
    // Its timers outlive the call that may be the first to need it.
    started ??= onBudget(undefined, () => boss.start());
    return started;
  };
  /** Ids of pg-boss's workers, the next to be woken first. */
  let workers: string[] = [];
  return {
    ended,
    async send(trx, operations) {
      await start();
      const jobs = operations.map(({ id, kind, actorId }) => ({
        data: { operationId: id },
        priority: actorId === null ? SERVER_PRIORITY : 0,
        group: { id: kind },
      }));
      await boss.insert(QUEUE, jobs, { db: fromKysely(trx) });
    },
    wake() {
      const busy = new Set(boss.getWipData().flatMap(({ id, count }) => (count > 0 ? [id] : [])));
      const idle = workers.find((id) => !busy.has(id));
      // A busy one looks again when it is done.
      for (const id of workers) if (busy.has(id) || id === idle) boss.notifyWorker(id);
      // Another one is next: each takes one operation.
      if (idle) workers = [...workers.filter((id) => id !== idle), idle];
    },
    async work(perform) {
      await start();
      const options = {
        pollingIntervalSeconds: POLL,
        localConcurrency: CONCURRENCY,
        localGroupConcurrency: CONCURRENCY_OF_KIND,
      };
      await boss.work<{ operationId: string }>(QUEUE, options, async ([job]) => {
        if (job) await perform(job.data.operationId);
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
