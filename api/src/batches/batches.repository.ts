import type { PlannedImportRow } from '@apotheca/contract/imports';
import { type Selectable, sql } from 'kysely';
import { newestFirst } from '../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../db/platform.ts';
import type { BatchSubject, Cells } from './batch-subject.ts';

export type BatchRow = Selectable<PlatformTables['batchRows']>;

type Kind = BatchSubject['kind'];

/** Deletes what a user has planned and never begun. */
export async function deletePlanOf(trx: Trx, kind: Kind, createdBy: string): Promise<void> {
  const plans = trx.deleteFrom('batches').where('operationId', 'is', null);
  await plans.where('kind', '=', kind).where('createdBy', '=', createdBy).execute();
}

/** @returns its id */
export async function insertBatch(
  trx: Trx,
  row: { kind: Kind; asked: unknown; createdBy: string; createdAt: Date },
): Promise<string> {
  return (
    await trx
      .insertInto('batches')
      .values({ ...row, asked: JSON.stringify(row.asked) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

/** A batch, with how its newest operation stands. */
export function findBatch(platform: Platform, id: string, kind: Kind) {
  return platform
    .selectFrom('batches')
    .leftJoin('operations', 'operations.id', 'batches.operationId')
    .selectAll('batches')
    .select('operations.state')
    .where('batches.id', '=', id)
    .where('batches.kind', '=', kind)
    .executeTakeFirst();
}

/** Locks a batch: no operation takes it until the transaction ends. What is read of it before may be old. */
export async function lockBatch(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('batches').select('id').where('id', '=', id).forUpdate().execute();
}

/** Which batch is meant: by its id, by one of the operations that have written it, or of a kind. */
export interface AskedBatch {
  id?: string | undefined;
  operationId?: string | undefined;
  kind?: Kind;
}

/** A batch that was started, with its newest operation: of those that are meant the newest one. */
export function findBegun(platform: Platform, { id, operationId, kind }: AskedBatch, now: Date) {
  const ofOperation = sql<string>`(select (o.input ->> 'batchId')::uuid from operations o where o.id = ${operationId})`;
  return platform
    .selectFrom('batches')
    .innerJoin('operations', 'operations.id', 'batches.operationId')
    .select([
      'batches.id',
      'batches.kind',
      'operations.id as operationId',
      'batches.asked',
      'operations.actorName as startedBy',
      'operations.createdAt',
      'operations.state',
    ])
    .$if(kind !== undefined, (query) => query.where('batches.kind', '=', kind as Kind))
    .$if(id !== undefined, (query) => query.where('batches.id', '=', id ?? ''))
    .$if(operationId !== undefined, (query) => query.where('batches.id', '=', ofOperation))
    .orderBy(newestFirst('operations.created_at', now))
    .limit(1)
    .executeTakeFirst();
}

type NewRow = PlannedImportRow & { cells: Cells; version?: number | undefined };

/** Writes the rows of a batch as they are planned now. */
export async function replaceRows(trx: Trx, batchId: string, rows: readonly NewRow[]): Promise<void> {
  await trx.deleteFrom('batchRows').where('batchId', '=', batchId).execute();
  const json = rows.map(({ line, cells, record, outcome, version, changes, reasons }) => {
    return { line, cells, record, outcome, version, changes, reasons };
  });
  await sql`
    insert into batch_rows (batch_id, line, cells, record, outcome, version, changes, reasons)
    select ${batchId}, r.line, r.cells, r.record, r.outcome, r.version, r.changes, r.reasons
    from json_to_recordset(${JSON.stringify(json)}::json)
      as r (line integer, cells jsonb, record text, outcome text, version integer, changes jsonb, reasons jsonb)`.execute(
    trx,
  );
}

/** The rows of a batch, in their order. */
export function listRows(platform: Platform, batchId: string): Promise<BatchRow[]> {
  return platform.selectFrom('batchRows').selectAll().where('batchId', '=', batchId).orderBy('line').execute();
}

/** Some rows of a batch that are no longer waiting, in their order: from a line on. */
export function listEndedRows(
  platform: Platform,
  batchId: string,
  fromLine: number,
  limit: number,
): Promise<BatchRow[]> {
  return platform
    .selectFrom('batchRows')
    .selectAll()
    .where('batchId', '=', batchId)
    .where('line', '>=', fromLine)
    .where(({ or, eb }) => or([eb('outcome', 'in', ['same', 'refused']), eb('state', 'in', ['done', 'failed'])]))
    .orderBy('line')
    .limit(limit)
    .execute();
}

/** How many rows of a batch there are of each outcome and state. */
export function countOutcomes(platform: Platform, batchId: string) {
  return platform
    .selectFrom('batchRows')
    .select(['outcome', 'state', sql<number>`count(*)::integer`.as('count')])
    .where('batchId', '=', batchId)
    .groupBy(['outcome', 'state'])
    .execute();
}

/**
 * Gives a batch to the operation that is to write its rows, unless another one writes records of its kind, or has come to the end of this one: of
 * two starts or retries at once the second may have compared the rows before the first one had written them. From here on until the transaction
 * ends no other one begins.
 * @returns who has started that other one, and whether the batch is there, and done
 */
export async function takeBatch(
  trx: Trx,
  { id, kind }: { id: string; kind: Kind },
  { operationId, scopes }: { operationId: string; scopes: readonly string[] | null },
): Promise<{ startedBy?: string; isThere: boolean; isDone: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`batch:${kind}`}, 0))`.execute(trx);
  const other = await trx
    .selectFrom('batches')
    .innerJoin('operations', 'operations.id', 'batches.operationId')
    .select('operations.actorName as startedBy')
    .where('batches.kind', '=', kind)
    .where('operations.state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (other) return { ...other, isThere: true, isDone: false };
  const batch = await trx
    .selectFrom('batches')
    .leftJoin('operations', 'operations.id', 'batches.operationId')
    .select('operations.state')
    .where('batches.id', '=', id)
    .forUpdate('batches')
    .executeTakeFirst();
  const isDone = batch?.state === 'succeeded';
  if (batch && !isDone) await trx.updateTable('batches').set({ operationId, scopes }).where('id', '=', id).execute();
  return { isThere: batch !== undefined, isDone };
}

/**
 * Notes how far a row is. The commit does not wait for the disk: if a crash of PostgreSQL loses it, it also loses what was written later,
 * and a row whose end is lost is compared with what there is.
 */
export async function noteRow(
  platform: Platform,
  { batchId, line }: Pick<BatchRow, 'batchId' | 'line'>,
  {
    reasons,
    changes,
    ...noted
  }: Pick<BatchRow, 'state'> & Partial<Pick<BatchRow, 'reasons' | 'changes' | 'operationId'>>,
): Promise<void> {
  await platform
    .updateTable('batchRows')
    .set({
      ...noted,
      ...(reasons && { reasons: JSON.stringify(reasons) }),
      ...(changes && { changes: JSON.stringify(changes) }),
    })
    .where('batchId', '=', batchId)
    .where('line', '=', line)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .execute();
}

/** Deletes the batches that were planned before a moment and never begun. */
export async function deletePlansBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('batches').where('operationId', 'is', null).where('createdAt', '<', before).execute();
}
