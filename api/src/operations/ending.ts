import { isEnded } from '@apotheca/contract/operations';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import { cutMessage } from '../db/client-programs/program-output.ts';
import { isDatabaseAway, messageOf } from '../db/errors/postgres-errors.ts';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import { printable } from '../wording.ts';
import type { OperationKind } from './operation-kind.ts';
import { findOperation, type OperationRow } from './operations.repository.ts';
import { actorOf, beginRun, type EngineRun, type RunPlace } from './run.ts';
import { findNames, markFailed } from './runs.repository.ts';

/** A run that failed. */
export interface BrokenRun extends Asked {
  run: EngineRun;
  operation: OperationRow;
}

/** What is to be done, and how. */
interface Asked {
  kind: OperationKind;
  input: unknown;
}

/**
 * What an operation is to do. Another version of the server may have stored it otherwise: then nothing is done, completed or undone, which is
 * settled later, as after a crash.
 */
export function readInput(kind: OperationKind, { input }: OperationRow): Asked & { isReadable: boolean } {
  const { success, data } = kind.input.safeParse(input);
  const { complete: _, undo: __, ...idle } = kind;
  return { kind: success ? kind : idle, input: data, isReadable: success };
}

/** The end of an operation whose input cannot be read. */
export const otherVersion = (): AppError =>
  new AppError('conflict', {
    message:
      'This was started by another version of Apotheca, and this one cannot go on with it. Please look whether it was done, and start it anew if it was not.',
  });

/**
 * Whether an operation succeeded although its run failed: its end was committed before the error, or it is past its point of no
 * return and is completed now. Always called before an operation is given up.
 * @throws what prevents finding this out, or completing it
 */
export async function hasSucceeded({ run, kind, input, operation }: BrokenRun): Promise<boolean> {
  if (run.hasSucceeded() && (await hasEnded(run.connection, operation.id))) return true;
  // Steps that can be cancelled commit nothing.
  if (!kind.complete || (run.attempt === 1 && run.isCancellable())) return false;
  return kind.complete(run, input);
}

/** Reads the state, as the transaction that marked it as succeeded may have been rolled back. */
async function hasEnded(connection: Platform, id: string): Promise<boolean> {
  const row = await findOperation(connection, id);
  return row === undefined || isEnded(row.state);
}

/** Undoes an operation and ends it. @returns as what */
export async function giveUp(
  { run, kind, input, operation }: BrokenRun,
  error: unknown,
  onError: (error: unknown) => void,
): Promise<'failed' | 'cancelled'> {
  const { context, connection, operationId: id } = run;
  // The operation ends even if undoing fails: the rest is settled later, as after a crash.
  await kind.undo?.(run, input).catch((undoError: unknown) => {
    if (isDatabaseAway(undoError)) throw undoError;
    onError(undoError);
  });
  const known = await toAppError(connection, error, operation.databaseName);
  const state = known.code === 'cancelled' ? 'cancelled' : 'failed';
  const { errors, result } = known.details;
  const stored = { code: known.code, ...(errors && { errors }), ...(result !== undefined && { result }) };
  const canceller = state === 'cancelled' && (await findOperation(connection, id))?.cancelledBy;
  const at = context.now();
  const { entity = 'databases' } = kind;
  await connection.transaction().execute(async (trx) => {
    await markFailed(trx, id, { state, message: known.message, error: stored, at });
    const event = {
      actor: canceller || actorOf(operation),
      action: `${entity}.${kind.name}-${state}`,
      entity,
      entityId: operation.databaseId,
      changes: { databaseName: operation.databaseName, reason: known.message },
    };
    await appendAudit(context, trx, event);
  });
  return state;
}

/**
 * Ends a cancelled operation that has begun nothing without its server, which may be away for long. What was registered for it there is
 * settled later, as after a crash.
 * @throws the error that its run ended with, if it is no such operation
 */
export async function endUnbegun(
  context: Context,
  connection: Platform,
  operation: OperationRow,
  kind: OperationKind,
  { stopping, onError, error }: { stopping: AbortSignal; onError(error: unknown): void; error: unknown },
): Promise<'failed' | 'cancelled'> {
  if (!isCancelled(operation) || operation.startedAt !== null || stopping.aborted) throw error;
  const run = beginRun(context, withoutServer(connection, error), operation, kind, stopping);
  await run.stop();
  return giveUp({ ...readInput(kind, operation), run, operation }, new AppError('cancelled'), onError);
}

/** Whether somebody has cancelled an operation, and it can still be. */
export const isCancelled = ({ cancelRequested, cancellable }: OperationRow): boolean => cancelRequested && cancellable;

/** The place of a run that gets no session on its server: whoever asks for it learns why. */
function withoutServer(connection: Platform, cause: unknown): RunPlace {
  const fail = (): never => {
    throw new Error('The server of this operation could not be reached', { cause });
  };
  return {
    connection,
    get cluster() {
      return fail();
    },
    get server() {
      return fail();
    },
  };
}

const unforeseenMessage = (error: unknown): string =>
  (error instanceof Error ? messageOf(error) : String(error)).replace(/\s+/g, ' ');

const PHYSICAL_NAME = /"?(db_[0-9a-f]{32}[a-z0-9_]*)"?/g;

/** The failure with a message for people, which has names in place of physical names: of what the registry does not know, the operation's own. */
async function toAppError(connection: Platform, error: unknown, databaseName: string): Promise<AppError> {
  if (error instanceof AppError) return error;
  const known = refusalOf(error);
  const text = known?.message ?? cutMessage(printable(unforeseenMessage(error)));
  const physicalNames = [...text.matchAll(PHYSICAL_NAME)].map(([, name]) => name ?? '');
  const names = physicalNames.length > 0 ? await findNames(connection, physicalNames) : new Map<string, string>();
  const named = text.replace(PHYSICAL_NAME, (_, physicalName) => names.get(physicalName) ?? databaseName);
  return new AppError(known?.code ?? 'internal', { ...known?.details, message: named.replace(/[^.!?]$/, '$&.') });
}
