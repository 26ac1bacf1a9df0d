import type { OperationKindName } from '@apotheca/contract/operations';
import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import type { Platform, PlatformTables } from '../db/platform.ts';

type Trx = Transaction<PlatformTables>;

/** What an operation is about, found out before it is queued. */
interface Preparation {
  /** The database that it is shown with. */
  database: { id: string; name: string };
  /** Ids of all databases that nothing else may work on meanwhile. */
  claims: string[];
  /** Bytes to be worked through, for telling how long it will take. */
  sizeBytes: number;
  /** Writes rows in the very transaction that queues the operation, such as the registry's row of a new database. */
  register?(trx: Trx): Promise<void>;
}

/** How an operation ended well: the answer of the call that asked for it. */
export interface Outcome {
  message: string;
  result: unknown;
}

/** A run of an operation, as its kind sees it. */
export interface Run {
  context: Context;
  /** One session of the control database that is the run's own; what it locks is free when the run's process is gone. */
  connection: Platform;
  operationId: string;
  /** Whether no run of this operation has been cut off before. */
  isFirst: boolean;
  actor: Actor;
  /** Aborted when somebody cancels the operation, or the server stops, while it is cancellable. */
  signal: AbortSignal;
  /**
   * Goes on to a step, by its index.
   * @throws AppError cancelled when somebody asked for it before
   */
  step(index: number): Promise<void>;
  /** How much of the present step is done, 0 to 1. */
  progress(fraction: number): void;
  /** Ends the operation well, in the transaction that makes what it did valid. */
  succeed(trx: Trx, outcome: Outcome): Promise<void>;
}

export interface OperationStep {
  /** In words, as people see it. */
  name: string;
  /** It can be given up during this step, and all is as before. */
  cancellable: boolean;
}

/** One kind of durable operation (DECISIONS §8). */
export interface OperationKind<Input = unknown> {
  name: OperationKindName;
  /** What starting it needs; cancelling and starting it again need the same. */
  permissions: readonly PermissionIdentifier[];
  input: z.ZodType<Input>;
  steps: readonly OperationStep[];
  /**
   * Looks at what there is and refuses what cannot be done, before anything is queued.
   * @throws AppError
   */
  prepare(context: Context, input: Input, operation: { id: string; actor: Actor }): Promise<Preparation>;
  /**
   * Does it. A run that was killed is begun anew, so it first clears what an earlier one left half-way, and finds out whether that one
   * was done already. It ends with {@link Run.succeed}.
   */
  run(run: Run, input: Input): Promise<void>;
  /** Takes back what failed runs and {@link Preparation.register} left. Each step may have been done before. */
  undo?(run: Run, input: Input): Promise<void>;
}

/** Keeps the type of a kind's input. */
export const operationKind = <Input>(kind: OperationKind<Input>): OperationKind<Input> => kind;
