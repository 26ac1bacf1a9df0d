import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ERRORS, type ErrorCode } from '@apotheca/contract/errors';
import {
  isEnded,
  isKnownKind,
  OPERATION_PERMISSIONS,
  OPERATION_WAIT,
  type OperationDetails,
} from '@apotheca/contract/operations';
import { PERMISSION_CATALOGUE, type PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { z } from 'zod';
import { type Actor, SERVER_ACTOR } from '../actor.ts';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { isOverloaded, violatedConstraint } from '../db/errors/postgres-errors.ts';
import { newestTenantSchemaVersion } from '../db/migrate.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import { insertOperation, insertOperations } from './new-operations.repository.ts';
import type { OperationKind, OperationsContext, Outcome } from './operation-kind.ts';
import {
  deleteOperationsBefore,
  findClaimant,
  findOperation,
  findOperationDetails,
  type OperationRow,
  operationsList,
  requestCancel,
} from './operations.repository.ts';
import { lockUnbegun, markFailed } from './runs.repository.ts';

/** How many operations the panel shows. */
const SHOWN = 50;
/** How long ended operations are kept, in milliseconds: 90 days. */
const REMEMBERED = 90 * 24 * 60 * 60 * 1000;
/** How often a waiting call checks whether another server process has ended its operation, in milliseconds. */
const POLL = 500;

/**
 * Queues an operation. From then on it is durable: it is run whatever happens to this server process.
 * @param id which it gets
 * @returns its id
 * @throws AppError busy when another operation works on one of its databases; what the kind's preparation throws
 */
export async function startOperation<Input>(
  context: Context,
  actor: Actor,
  kind: OperationKind<Input>,
  input: Input,
  id: string = randomUUID(),
): Promise<string> {
  const { database, claims, sizeBytes, register } = await kind.prepare(context, input, { id, actor });
  await context.platform
    .transaction()
    .execute(async (trx) => {
      await register?.(trx);
      await insertOperation(trx, {
        id,
        kind: kind.name,
        database,
        claims,
        input,
        actor,
        steps: kind.steps.map(({ name }) => name),
        cancellable: kind.steps[0]?.cancellable ?? false,
        sizeBytes,
        createdAt: context.now(),
      });
      await context.queue.send(trx, [{ id, kind: kind.name, actorId: actor.id }]);
    })
    .catch(async (error: unknown) => {
      const constraint = violatedConstraint(error)?.constraint;
      if (constraint === 'operation_claims__database_id') throw await busy(context, claims);
      if (constraint === 'operation_claims__database_id__databases') throw new AppError('not-found');
      throw error;
    });
  context.queue.wake();
  return id;
}

/**
 * Queues an operation of the server's own for each of many databases, in one transaction. Databases that are gone, or on which
 * another operation works, are left out.
 * @returns how many were queued
 */
export async function startOperations<Input>(
  context: Context,
  kind: OperationKind<Input>,
  wanted: readonly { databaseId: string; input: Input }[],
): Promise<number> {
  const queued = await context.platform.transaction().execute(async (trx) => {
    const ids = await insertOperations(trx, wanted, {
      kind: kind.name,
      actor: SERVER_ACTOR,
      steps: kind.steps.map(({ name }) => name),
      cancellable: kind.steps[0]?.cancellable ?? false,
      createdAt: context.now(),
    });
    await context.queue.send(
      trx,
      ids.map((id) => ({ id, kind: kind.name, actorId: SERVER_ACTOR.id })),
    );
    return ids.length;
  });
  context.queue.wake();
  return queued;
}

/**
 * Refuses to touch a database that an operation works on.
 * @param platform the transaction that has locked its row
 * @throws AppError busy
 */
export async function refuseClaimed(context: Context, platform: Platform, databaseId: string): Promise<void> {
  if (await findClaimant(platform, [databaseId])) throw await busy({ ...context, platform }, [databaseId]);
}

async function busy(context: Context, databaseIds: readonly string[]): Promise<AppError> {
  const claimant = await findClaimant(context.platform, databaseIds);
  if (!claimant) return new AppError('busy');
  const { databaseName, kind, actorName } = claimant;
  const source = sourceOf(claimant);
  const done = context.kinds.get(kind)?.participle ?? 'worked on';
  const what = `${source ?? databaseName} is being ${done}${source === null ? '' : ` as ${databaseName}`}`;
  return new AppError('busy', {
    message: `${what} (started by ${actorName}). Please try again when that has ended.`,
  });
}

/**
 * Waits for the end of an operation, at most {@link OPERATION_WAIT}.
 * @param respondAsync the caller does not want to wait (RFC 7240)
 * @returns its outcome; undefined while it still goes on
 * @throws AppError the operation's failure
 */
export async function waitForOperation(
  context: Context,
  id: string,
  respondAsync: boolean,
): Promise<Outcome | undefined> {
  if (respondAsync) return undefined;
  const deadline = performance.now() + OPERATION_WAIT;
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const timeout = AbortSignal.timeout(Math.min(POLL, left));
    // Listens before it reads the row, so that no end comes unseen between the two.
    const woken = once(context.queue.ended, id, { signal: timeout }).catch(() => {});
    // A budget of its own, so that a silent PostgreSQL does not make the wait longer.
    const looking = onBudget(new TimeBudget(Math.max(left, POLL)), () => findOperation(context.platform, id));
    const row = await looking.catch(ignoreLate);
    if (row && isEnded(row.state)) return outcomeOf(row);
    if (left === 0) return undefined;
    await woken;
  }
}

/** A look that comes late says nothing about the operation, which goes on. @throws what else it failed for */
function ignoreLate(error: unknown): undefined {
  if (!isOverloaded(error)) throw error;
}

function outcomeOf(row: OperationRow): Outcome {
  if (row.error) {
    const { code, ...details } = row.error;
    throw new AppError(knownCode(code), { message: row.message, ...details });
  }
  return { message: row.message, result: row.result };
}

/** Operations that run or wait, failed upgrades that are still due, and the newest ended ones; at most {@link SHOWN}. */
export const listOperations = () => operationsList(newestTenantSchemaVersion(), SHOWN);

/** One operation with its result. @throws AppError not-found */
export async function getOperation({ platform }: Context, id: string): Promise<OperationDetails> {
  const row = found(await findOperationDetails(platform, id));
  return { ...row, error: row.error && failureOf(row.error) };
}

/** The error reply to the call that started an operation. */
function failureOf({ code, errors, result }: NonNullable<OperationRow['error']>): OperationDetails['error'] {
  const { status, title } = ERRORS[knownCode(code)];
  return { status, title, ...(errors && { errors }), result };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** The code of a failure that was stored. Another version may have one that this one does not know: its message is stored beside it. */
const knownCode = (code: string): ErrorCode => (isErrorCode(code) ? code : 'internal');

/** Cancels an operation; its audit entry names the actor. @throws AppError not-found, conflict if it is too late */
export async function cancelOperation(context: Context, actor: Actor, id: string): Promise<void> {
  const row = await getRow(context, id);
  const isInTime = isKnownKind(row.kind)
    ? await requestCancel(context.platform, id, actor)
    : await cancelUnbegun(context, actor, row);
  if (isInTime) return;
  throw new AppError('conflict', { message: `What is done with ${row.databaseName} can no longer be cancelled.` });
}

/** Ends an operation of a kind that no run of this version ends. Where none has begun, it has nothing to undo. @returns whether none has */
function cancelUnbegun(context: Context, actor: Actor, row: OperationRow): Promise<boolean> {
  const { id, kind, databaseId, databaseName } = row;
  const { code, message } = new AppError('cancelled');
  return context.platform.transaction().execute(async (trx) => {
    if (!(await lockUnbegun(trx, id))) return false;
    await markFailed(trx, id, { state: 'cancelled', message, error: { code }, at: context.now() });
    const changes = { databaseName, reason: message };
    const event = { actor, action: `databases.${kind}-cancelled`, entity: 'databases', entityId: databaseId, changes };
    await appendAudit(context, trx, event);
    return true;
  });
}

/** Starts a failed or cancelled operation again, for the actor. @returns the new operation's id @throws AppError */
export async function retryOperation(context: OperationsContext, actor: Actor, id: string): Promise<string> {
  const row = await getRow(context, id);
  const kind = context.kinds.get(row.kind);
  if (!kind || (row.state !== 'failed' && row.state !== 'cancelled')) {
    throw new AppError('conflict', { message: 'Only an operation that failed or was cancelled can be started again.' });
  }
  const { success, data } = kind.input.safeParse(row.input);
  if (success) return startOperation(context, actor, kind, data);
  const message = 'This was started by another version of Apotheca, and this one cannot start it again.';
  throw new AppError('conflict', { message });
}

/** Deletes operations that ended long ago; the audit trail keeps what they did. */
export function forgetOldOperations({ platform, now }: Context, stopping?: AbortSignal): Promise<void> {
  return deleteOperationsBefore(platform, new Date(now().getTime() - REMEMBERED), stopping);
}

/**
 * The permissions to cancel an operation: all there are for one of a kind that is not known, which waits for a version that may never come back.
 * @throws AppError not-found; conflict where they are not known, as it has begun
 */
export async function listPermissionsToCancel(context: Context, id: string): Promise<readonly PermissionIdentifier[]> {
  const { kind, state, startedAt } = await getRow(context, id);
  const isLeft = !isKnownKind(kind) && state === 'queued' && startedAt === null;
  return isLeft ? PERMISSION_CATALOGUE.map(({ identifier }) => identifier) : listNeededPermissions(context, id);
}

/** The permissions to cancel an operation or to start it again. @throws AppError not-found; conflict where they are not known */
export async function listNeededPermissions(context: Context, id: string): Promise<readonly PermissionIdentifier[]> {
  const { kind } = await getRow(context, id);
  if (isKnownKind(kind)) return OPERATION_PERMISSIONS[kind];
  const message = 'This was started by another version of Apotheca, and this one does not know what it is.';
  throw new AppError('conflict', { message });
}

/** The state of the operation with an id; undefined: there is none. */
export const findState = async ({ platform }: Context, id: string): Promise<OperationRow['state'] | undefined> =>
  (await findOperation(platform, id))?.state;

async function getRow(context: Context, id: string): Promise<OperationRow> {
  return found(await findOperation(context.platform, id));
}

function found<Row>(row: Row | undefined): Row {
  if (!row) throw new AppError('not-found', { message: 'There is no such operation.' });
  return row;
}

const copying = z.object({ copyFrom: z.string() });

/** The name of the database that an operation copies, from its input; null if it copies none. */
const sourceOf = ({ input }: OperationRow): string | null => copying.safeParse(input).data?.copyFrom ?? null;
