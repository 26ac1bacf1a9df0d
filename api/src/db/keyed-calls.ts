import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { deleteExpired } from './delete-expired.ts';
import { hasCome, postgresNow, seconds } from './due-moments.ts';
import type { Platform, Trx } from './platform.ts';

/**
 * For how long an attempt counts as going on after it was last seen to, by PostgreSQL's clock: another process looks whether it does. Less than
 * a call waits for another one: so who comes again after a kill is answered.
 */
export const HELD_SECONDS = 8;
/** How far ahead one may be held: the version before, which may run beside this one, holds it for so long. */
const LONGEST_HELD = 30;

const fromNowOn = sql<Date>`${postgresNow} + ${seconds(HELD_SECONDS)}`;
/** SQL: whether an attempt no longer goes on. @param column such as 'kept.held_until' */
const isOver = (column: string) => hasCome(column, postgresNow, seconds(LONGEST_HELD));

/** One attempt at a call that came with an idempotency key (decision 055). */
export interface KeyedCall {
  caller: string;
  key: string;
  /** SHA-256 of what is asked. */
  request: Buffer;
  /** Names the attempt. */
  attempt: string;
}

/** What is kept of a key. */
export interface KeptCall {
  request: Buffer;
  /** Whether its attempt no longer goes on. */
  isOver: boolean;
  madeId: string | null;
  operationId: string | null;
  answer: Buffer | null;
}

/** The attempt that is being made. What goes on in the background after its end is no part of it. */
interface OpenAttempt {
  call: KeyedCall;
  isOpen: boolean;
}

const attempts = new AsyncLocalStorage<OpenAttempt | undefined>();

/** Makes an attempt: what it makes is noted with its key, in the same transaction. */
export async function attemptCall<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
  const attempt = { call, isOpen: true };
  try {
    return await attempts.run(attempt, work);
  } finally {
    attempt.isOpen = false;
  }
}

/** Runs `work`, and all that it starts, as no part of an attempt. */
export const apartFromAttempts = <T>(work: () => T): T => attempts.run(undefined, work);

/**
 * Notes what the attempt that is being made has made, if there is one: the first record, or the operation that makes it.
 * @throws AppError key-busy where another attempt has taken its place; the transaction is rolled back
 */
export async function noteMade(
  trx: Trx,
  { madeId, operationId }: { madeId?: string; operationId?: string },
): Promise<void> {
  const attempt = attempts.getStore();
  if (!attempt?.isOpen) return;
  const { numAffectedRows } = await sql`
    update idempotency_keys
    set made_id = coalesce(made_id, ${madeId ?? null}), operation_id = coalesce(operation_id, ${operationId ?? null}::uuid)
    where ${isAttempt(attempt.call)}`.execute(trx);
  if (numAffectedRows === 0n) throw new AppError('key-busy', { retryAfter: 1 });
}

const isAttempt = ({ caller, key, attempt }: KeyedCall) =>
  sql`caller = ${caller} and key = ${key} and attempt = ${attempt}`;

/**
 * Takes a key for an attempt: a new one, or one whose attempt stopped before it made anything, or started an operation that has failed or was
 * cancelled. One of long ago stands until it is deleted, by a clock that is trusted.
 * @returns whether it was taken
 */
export async function takeKey(
  platform: Platform,
  { caller, key, request, attempt }: KeyedCall,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as kept (caller, key, request, attempt, held_until, created_at)
    values (${caller}, ${key}, ${request}, ${attempt}, ${fromNowOn}, ${now})
    on conflict (caller, key) do update
    set request = excluded.request, attempt = excluded.attempt, held_until = excluded.held_until,
      created_at = excluded.created_at, made_id = null, operation_id = null, answer = null
    where kept.request = excluded.request and (
      ${isOver('kept.held_until')} and kept.made_id is null and kept.operation_id is null and kept.answer is null
      or exists (select from operations o where o.id = kept.operation_id and o.state in ('failed', 'cancelled'))
    )
    returning attempt`.execute(platform);
  return rows.length > 0;
}

/** What is kept of a call's key; undefined: nothing, as its attempt has failed. */
export function findKeptCall(platform: Platform, { caller, key }: KeyedCall): Promise<KeptCall | undefined> {
  return platform
    .selectFrom('idempotencyKeys')
    .select(['request', 'madeId', 'operationId', 'answer'])
    .select(isOver('heldUntil').as('isOver'))
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Notes that an attempt goes on. */
export async function holdKey(platform: Platform, call: KeyedCall): Promise<void> {
  await platform
    .updateTable('idempotencyKeys')
    .set({ heldUntil: fromNowOn })
    .where(sql<boolean>`${isAttempt(call)}`)
    .execute();
}

/** Keeps the answer of an attempt. */
export async function keepAnswer(platform: Platform, call: KeyedCall, answer: Buffer): Promise<void> {
  await platform
    .updateTable('idempotencyKeys')
    .set({ answer })
    .where(sql<boolean>`${isAttempt(call)}`)
    .execute();
}

/** Ends an attempt that has failed. Where it has made something all the same, the key stands for that from now on. */
export async function releaseKey(platform: Platform, call: KeyedCall): Promise<void> {
  await sql`
    with released as (
      delete from idempotency_keys where ${isAttempt(call)} and made_id is null and operation_id is null
    )
    update idempotency_keys set held_until = ${postgresNow} where ${isAttempt(call)} and made_id is not null`.execute(
    platform,
  );
}

/** Forgets the keys of calls up to a moment. */
export const deleteKeysBefore = (platform: Platform, moment: Date, stopping?: AbortSignal): Promise<void> =>
  deleteExpired(platform, 'idempotency_keys', sql`created_at <= ${moment}`, stopping);
