import type { OperationKindName } from '@apotheca/contract/operations';
import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Platform, Trx } from '../db/platform.ts';

/** What an operation is about, found out before it is queued. */
interface Preparation {
  /** The database that it is shown with; for what is about many, words for them, with the operation's own id. */
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
  /** Which run of the operation this is, from 1; those before were cut off. */
  attempt: number;
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
  /**
   * What it works on may come from anywhere and bring a server process down. Where one died in this step the operation is not begun
   * anew: it is given up with this reason.
   */
  givenUpBecause?: string;
}

/** One kind of durable operation (DECISIONS §8). */
export interface OperationKind<Input = unknown> {
  name: OperationKindName;
  /** What is said of its database meanwhile: 'ACME is being cloned'. */
  participle: string;
  /** What its audit entries are about, where that is no database. */
  entity?: 'permissions';
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
  /**
   * Ends it well if an earlier run, or this one before it failed, has passed the point of no return; {@link run} is not called anew.
   * Needed where that point comes before the transaction of {@link Run.succeed}. A failure is no answer: it is asked again.
   * @returns whether it was passed
   */
  complete?(run: Run, input: Input): Promise<boolean>;
  /** Takes back what failed runs and {@link Preparation.register} left. Each step may have been done before. */
  undo?(run: Run, input: Input): Promise<void>;
}

/** The context of what runs operations: for every other room a kind is only its words. */
export interface OperationsContext extends Context {
  /** Every kind of operation, by name. */
  kinds: ReadonlyMap<string, OperationKind>;
}

/** Keeps the type of a kind's input. */
export const operationKind = <Input>(kind: OperationKind<Input>): OperationKind<Input> => kind;
