import { isEnded } from '@apotheca/contract/operations';
import { appendAudit } from '../audit/audit.service.ts';
import { cutMessage } from '../db/client-programs/program-output.ts';
import { isDatabaseAway } from '../db/errors/postgres-errors.ts';
import { refusalOf } from '../db/errors/postgres-refusals.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from './operation-kind.ts';
import { findOperation, type OperationRow } from './operations.repository.ts';
import { actorOf, type EngineRun } from './run.ts';
import { markFailed } from './runs.repository.ts';

/** A run that failed. */
export interface BrokenRun {
  run: EngineRun;
  kind: OperationKind;
  input: unknown;
  operation: OperationRow;
}

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
  const known = toAppError(error, operation.databaseName);
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

/** The failure with a message for people, which has the database's name in place of its physical name. */
function toAppError(error: unknown, databaseName: string): AppError {
  if (error instanceof AppError) return error;
  const text = cutMessage(error instanceof Error ? error.message : String(error));
  const message = text.replace(/"?db_[0-9a-f]{32}[a-z0-9_]*"?/g, databaseName).replace(/[^.!?]$/, '$&.');
  return refusalOf(error) ?? new AppError('internal', { message });
}
