import type { OperationKindName } from '@apotheca/contract/operations';
import { type QueryCreator, sql } from 'kysely';
import { unlessUnderWay } from '../db/cluster/advisory-lock.ts';
import type { ClusterSession } from '../db/cluster/session.ts';
import { hasCome } from '../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../db/platform.ts';
import type { StoredError } from '../db/tables/operation-tables.ts';
import { COLUMNS, type OperationRow } from './operations.repository.ts';

/** The longest pause before an interrupted operation is run again, in seconds. */
export const LONGEST_PAUSE = 32;
/** SQL: whether an operation's pause is over, or it has none. */
export const isPauseOver = sql<boolean>`coalesce(${hasCome('resume_at', sql`now()`, sql`make_interval(secs => ${LONGEST_PAUSE})`)}, true)`;

/** Holds the lock on an operation while `work` runs. @returns false if another session has it; then `work` is not run */
export const ifOperationUnlocked = (connection: Platform, id: string, work: () => Promise<void>): Promise<boolean> =>
  unlessUnderWay(connection, `operation:${id}`, work);

/**
 * Asks the session that has the lock on an operation for a sign of life, once no statement of the run is under way there.
 * @throws where it has ended: then the lock is free, and another run may have begun
 */
export async function checkLock(connection: Platform): Promise<void> {
  await sql`select`.execute(connection);
}

/** Waits for the lock on an operation on another server than the control database's, until the statement of a killed run has ended there. */
export async function withOperationLock<T>(cluster: ClusterSession, id: string, work: () => Promise<T>): Promise<T> {
  const key = sql`hashtextextended(${`operation:${id}`}, 0)`;
  await sql`select pg_advisory_lock(${key})`.execute(cluster);
  try {
    return await work();
  } finally {
    // Where the session is lost, so is its lock.
    await sql`select pg_advisory_unlock(${key})`.execute(cluster).catch(() => {});
  }
}

/**
 * The server of an operation's database; of the one that it makes, whose id is its own, where that is the only one; undefined: it works on
 * none, or on many.
 */
export async function findServerOf(
  platform: Platform,
  { id, databaseId }: Pick<OperationRow, 'id' | 'databaseId'>,
): Promise<string | undefined> {
  const row = await platform
    .selectFrom('databases')
    .select('serverId')
    .where('id', 'in', [id, databaseId])
    .orderBy((row) => row('id', '=', databaseId), 'desc')
    .executeTakeFirst();
  return row?.serverId;
}

// These commits need not wait for the disk. If a crash of PostgreSQL loses them, it also loses everything later on the same server, because
// all its databases share one write-ahead log, which is written in order.
const withoutWaiting = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Notes that a run begins, unless the operation has ended or is postponed. A cancelled operation is run at once.
 * @param kinds the kinds that this server knows
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
      heartbeatAt: at,
      resumeAt: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('kind', 'in', kinds)
    .where(sql<boolean>`(${isPauseOver} or (cancel_requested and cancellable))`)
    .where(withoutWaiting)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Notes that the work of a run begins. Until the first one has, an operation has no moment of its start, and nothing to undo on its server.
 * @param isFar whether it works on another server than the control database's: what it does there outlives a crash here. So this note is on
 *   the disk before, and that of {@link startRun} with it: the next run must know that it is not the first one.
 */
export async function noteBegin(platform: Platform, id: string, at: Date, isFar: boolean): Promise<void> {
  await platform
    .updateTable('operations')
    .set({ startedAt: at })
    .where('id', '=', id)
    .$if(!isFar, (update) => update.where(withoutWaiting))
    .execute();
}

/**
 * Notes that a run was interrupted, and when the next one may begin.
 * @param isOutlived whether the server process survived the run, which then uses up no life
 * @param seconds until the next run, by PostgreSQL's clock
 */
export async function postponeRun(
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

/** Notes the progress of a run. @returns whether somebody asked for it to be cancelled */
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

/** Frees the databases of an operation, as part of the statement that ends it. */
const freeing = (operationId: string) => (query: QueryCreator<PlatformTables>) =>
  query.deleteFrom('operationClaims').where('operationId', '=', operationId);

/** Marks an operation as succeeded and frees its databases. */
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

/** Locks an operation that no run has begun, so that none begins. @returns whether it is one */
export async function lockUnbegun(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('operations')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('startedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks an operation as failed or cancelled and frees its databases. */
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

/** The names of those databases that the registry knows, by their physical names. */
export async function findNames(
  platform: Platform,
  physicalNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await platform
    .selectFrom('databases')
    .select(['physicalName', 'name'])
    .where('physicalName', 'in', physicalNames)
    .execute();
  return new Map(rows.map(({ physicalName, name }) => [physicalName, name]));
}
