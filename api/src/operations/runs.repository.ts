import type { OperationKindName } from '@apotheca/contract/operations';
import { type QueryCreator, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../db/platform.ts';
import type { StoredError } from '../db/platform-tables/operations.ts';
import { COLUMNS, type OperationRow } from './operations.repository.ts';

/** Takes the lock on an operation for as long as `work` runs, unless somebody else runs it. @returns whether it was free */
export async function ifOperationUnlocked(
  connection: Platform,
  id: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const key = sql`hashtextextended(${`operation:${id}`}, 0)`;
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`.execute(connection);
  if (!rows[0]?.locked) return false;
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(${key})`.execute(connection);
  }
  return true;
}

// Commits that nobody relies on need not wait for the disk: what a crash of PostgreSQL takes from these notes is what its sessions did
// after them as well, because the write-ahead log is one for all databases and is written in order.
const withoutWaiting = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Notes the beginning of a run, unless the operation has ended or rests. One that is to be cancelled does not rest.
 * @param kinds those that this server knows
 * @returns the operation; its `attempts` tell which run it is, from 1
 */
export function startRun(
  platform: Platform,
  id: string,
  kinds: readonly OperationKindName[],
  at: Date,
): Promise<OperationRow | undefined> {
  return platform
    .updateTable('operations')
    .set((expression) => ({
      state: 'running',
      attempts: expression('attempts', '+', 1),
      startedAt: at,
      heartbeatAt: at,
      resumeAt: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('kind', 'in', kinds)
    .where(sql<boolean>`(coalesce(resume_at <= now(), true) or (cancel_requested and cancellable))`)
    .where(withoutWaiting)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Notes that a run was cut off though its server process lives, and when the next one may begin.
 * @param isOutlived it uses up none of the operation's lives
 * @param seconds by PostgreSQL's clock
 */
export async function noteRest(
  platform: Platform,
  id: string,
  { isOutlived, seconds }: { isOutlived: boolean; seconds: number },
): Promise<void> {
  await platform
    .updateTable('operations')
    .set({
      ...(isOutlived && { outlived: sql<number>`least(outlived + 1, attempts)` }),
      resumeAt: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Notes how far a run is. @returns whether somebody asked for it to be cancelled */
export async function updateProgress(
  platform: Platform,
  id: string,
  progress: { step?: number; cancellable?: boolean; percent: number; heartbeatAt: Date },
): Promise<boolean> {
  const row = await platform
    .updateTable('operations')
    .set(progress)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(withoutWaiting)
    .returning('cancelRequested')
    .executeTakeFirst();
  return row?.cancelRequested ?? false;
}

/** Frees the databases of an operation, as a part of the statement that ends it. */
const freeing = (operationId: string) => (query: QueryCreator<PlatformTables>) =>
  query.deleteFrom('operationClaims').where('operationId', '=', operationId);

/** Ends an operation well and frees its databases. */
export async function markSucceeded(
  trx: Trx,
  id: string,
  outcome: { message: string; result: unknown; at: Date },
): Promise<void> {
  await trx
    .with('freed', freeing(id))
    .updateTable('operations')
    .set((expression) => ({
      state: 'succeeded',
      percent: 100,
      step: sql<number>`cardinality(${expression.ref('steps')}) - 1`,
      cancellable: false,
      message: outcome.message,
      result: JSON.stringify(outcome.result ?? null),
      heartbeatAt: outcome.at,
      finishedAt: outcome.at,
    }))
    .where('id', '=', id)
    .execute();
}

/** Ends an operation without success and frees its databases. */
export async function markFailed(
  trx: Trx,
  id: string,
  failure: { state: 'failed' | 'cancelled'; message: string; error: StoredError; at: Date },
): Promise<void> {
  await trx
    .with('freed', freeing(id))
    .updateTable('operations')
    .set({
      state: failure.state,
      cancellable: false,
      message: failure.message,
      error: JSON.stringify(failure.error),
      heartbeatAt: failure.at,
      finishedAt: failure.at,
    })
    .where('id', '=', id)
    .execute();
}
