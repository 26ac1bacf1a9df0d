import { EventEmitter } from 'node:events';
import type { Transaction } from 'kysely';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { PlatformTables } from '../db/platform.ts';
import { prepared } from '../db/prepared-statements.ts';
import { QUEUE } from './operations.repository.ts';

/** Operations that one server process runs at once; each holds a connection of the pool for utility commands. */
const CONCURRENCY = 4;
/** How often a server process looks for operations that another one queued, in seconds. */
const POLL = 2;
/** A job whose server process is gone for so long is given to another one, in seconds. */
const HEARTBEAT = 30;
/** What the server starts by itself, upgrades by the thousand, comes after what people start: they have 0. */
const SERVER_PRIORITY = -1;

/** The queue of operations (pg-boss): each queued operation is run by one server process, also when the one that queued it is gone. */
export interface OperationQueue {
  /**
   * Queues an operation in the transaction that notes it.
   * @param actorId who started it; null for the server itself
   */
  send(trx: Transaction<PlatformTables>, operationId: string, actorId?: string | null): Promise<void>;
  /** Tells an idle worker of this process that an operation was queued. */
  wake(): void;
  /** Tells whoever waits in this process that an operation has ended: the event is its id. */
  ended: EventEmitter;
  /** Begins to run queued operations. */
  work(perform: (operationId: string) => Promise<void>): Promise<void>;
  /** Takes no further operations, and waits for those that this process is running. */
  stop(): Promise<void>;
}

interface Worker {
  id: string;
  isBusy: boolean;
}

/** Installs or upgrades pg-boss's schema. */
export async function migrateQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
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
    started ??= boss.start();
    return started;
  };
  let workers: Worker[] = [];
  return {
    ended,
    async send(trx, operationId, actorId) {
      await start();
      const priority = actorId === null ? SERVER_PRIORITY : 0;
      await boss.send(QUEUE, { operationId }, { db: fromKysely(trx), priority });
    },
    wake() {
      const idle = workers.find(({ isBusy }) => !isBusy);
      // A busy one looks again when it is done.
      for (const worker of workers) if (worker.isBusy || worker === idle) boss.notifyWorker(worker.id);
      // Another one is next: each takes one operation.
      if (idle) workers = [...workers.filter((worker) => worker !== idle), idle];
    },
    async work(perform) {
      await start();
      const startWorker = async () => {
        const worker: Worker = { id: '', isBusy: false };
        worker.id = await boss.work<{ operationId: string }>(QUEUE, { pollingIntervalSeconds: POLL }, async ([job]) => {
          if (!job) return;
          worker.isBusy = true;
          await perform(job.data.operationId).finally(() => {
            worker.isBusy = false;
          });
        });
        return worker;
      };
      workers = await Promise.all(Array.from({ length: CONCURRENCY }, startWorker));
    },
    async stop() {
      if (!started) return;
      await started;
      await boss.stop({ graceful: true, timeout: 3_600_000 });
    },
  };
}
