import type { OperationKindName } from '@apotheca/contract/operations';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Sessions } from '../db/cluster/session.ts';
import type { Cluster } from '../db/clusters.ts';
import type { Trx } from '../db/platform.ts';

/** What is found out about an operation before it is queued. */
export interface Preparation {
  /** The database that it is shown with. An operation on many has words for them, and its own id. */
  database: { id: string; name: string };
  /** Ids of all databases on which no other operation may work meanwhile. */
  claims: string[];
  /** Bytes to process, from which the expected time follows. */
  sizeBytes: number;
  /** Writes rows in the transaction that queues the operation, such as the registry's row of a new database. */
  register?(trx: Trx): Promise<void>;
}

/** The result of a successful operation: the answer of the call that started it. */
export interface Outcome {
  message: string;
  result: unknown;
}

/** A run of an operation, as its kind sees it. */
export interface Run extends Sessions {
  context: Context;
  /** The server where its database lives. Both sessions are for this run only: their locks are free when the run's process is gone. */
  server: Cluster;
  operationId: string;
  /** Which run of the operation this is, from 1; the earlier ones were interrupted. */
  attempt: number;
  actor: Actor;
  /** Aborted when somebody cancels the operation, or the server stops, while it is cancellable. */
  signal: AbortSignal;
  /**
   * Goes on to a step, by its index.
   * @throws AppError cancelled if somebody has cancelled the operation
   */
  step(index: number): Promise<void>;
  /** How much of the present step is done, 0 to 1. */
  progress(fraction: number): void;
  /** Marks the operation as succeeded, in the transaction that makes its work valid. */
  succeed(trx: Trx, outcome: Outcome): Promise<void>;
}

export interface OperationStep {
  /** In words, as people see it. */
  name: string;
  /** Whether it can be cancelled during this step, and everything is as before. */
  cancellable: boolean;
  /**
   * For a step that reads data from outside, which may crash a server process: after a crash in this step the operation is not run
   * again, but given up with this reason.
   */
  givenUpBecause?: string;
}

/** One kind of durable operation (DECISIONS §8). */
export interface OperationKind<Input = unknown> {
  name: OperationKindName;
  /** What happens to its database meanwhile, as in 'ACME is being cloned'. */
  participle: string;
  /** The entity of its audit entries; absent: databases. */
  entity?: 'databases' | 'permissions' | 'tenants' | 'users' | 'faqs';
  input: z.ZodType<Input>;
  steps: readonly OperationStep[];
  /**
   * Reads the present state and refuses what cannot be done, before anything is queued.
   * @throws AppError
   */
  prepare(context: Context, input: Input, operation: { id: string; actor: Actor }): Promise<Preparation>;
  /**
   * Does the work. After a kill it is run again, so it first clears what an earlier run left half-done, and finds out whether that
   * run had finished. It ends with {@link Run.succeed}.
   */
  run(run: Run, input: Input): Promise<void>;
  /**
   * Completes the operation if an earlier run, or this one before it failed, has passed the point of no return; {@link run} is not
   * called again. Needed if that point comes before the transaction of {@link Run.succeed}. If it throws, it is called again later.
   * @returns whether the point was passed
   */
  complete?(run: Run, input: Input): Promise<boolean>;
  /** Undoes what failed runs and {@link Preparation.register} left. Each part may have been undone before, or never done. */
  undo?(run: Run, input: Input): Promise<void>;
}

/** The context for what runs operations, which needs the whole of their kinds. */
export interface OperationsContext extends Context {
  /** Every kind of operation, by name. */
  kinds: ReadonlyMap<string, OperationKind>;
}

/** Infers the type of a kind's input. */
export const operationKind = <Input>(kind: OperationKind<Input>): OperationKind<Input> => kind;
