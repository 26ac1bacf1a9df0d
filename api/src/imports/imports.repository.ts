import type { PlannedImportRow } from '@apotheca/contract/imports';
import { type Selectable, sql } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../db/platform.ts';
import type { Cells } from './csv-file.ts';
import type { ImportSubject } from './import-subject.ts';

export type ImportRow = Selectable<PlatformTables['importRows']>;

/** Deletes what a user has planned and never begun. */
export async function deletePlanOf(trx: Trx, subject: ImportSubject['name'], createdBy: string): Promise<void> {
  const plans = trx.deleteFrom('imports').where('operationId', 'is', null);
  await plans.where('subject', '=', subject).where('createdBy', '=', createdBy).execute();
}

/** @returns its id */
export async function insertImport(
  trx: Trx,
  row: { subject: ImportSubject['name']; createdBy: string; createdAt: Date },
): Promise<string> {
  return (await trx.insertInto('imports').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export function findImport(platform: Platform, id: string, subject: ImportSubject['name']) {
  return platform
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** An import that was started, with its newest operation. @param id absent: the newest one of its subject */
export function findBegun(platform: Platform, subject: ImportSubject['name'], id: string | undefined) {
  return platform
    .selectFrom('imports')
    .innerJoin('operations', 'operations.id', 'imports.operationId')
    .select(['imports.id', 'operations.actorName as startedBy', 'operations.createdAt', 'operations.state'])
    .where('imports.subject', '=', subject)
    .$if(id !== undefined, (query) => query.where('imports.id', '=', id ?? ''))
    .orderBy('operations.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type NewRow = PlannedImportRow & { cells: Cells; version?: number | undefined };

/** Writes the rows of an import as they are planned now. */
export async function replaceRows(trx: Trx, importId: string, rows: readonly NewRow[]): Promise<void> {
  await trx.deleteFrom('importRows').where('importId', '=', importId).execute();
  const json = rows.map(({ line, cells, record, outcome, version, changes, reasons }) => {
    return { line, cells, record, outcome, version, changes, reasons };
  });
  await sql`
    insert into import_rows (import_id, line, cells, record, outcome, version, changes, reasons)
    select ${importId}, r.line, r.cells, r.record, r.outcome, r.version, r.changes, r.reasons
    from json_to_recordset(${JSON.stringify(json)}::json)
      as r (line integer, cells jsonb, record text, outcome text, version integer, changes jsonb, reasons jsonb)`.execute(
    trx,
  );
}

/** The rows of an import, in the order of the file. */
export function listRows(platform: Platform, importId: string): Promise<ImportRow[]> {
  return platform.selectFrom('importRows').selectAll().where('importId', '=', importId).orderBy('line').execute();
}

/**
 * Gives an import to the operation that is to write its rows, unless another one writes records of its kind. From here on until the
 * transaction ends no other one begins.
 * @returns who has started that other one, and whether the import is there
 */
export async function takeImport(
  trx: Trx,
  { id, subject }: { id: string; subject: ImportSubject['name'] },
  { operationId, scopes }: { operationId: string; scopes: readonly string[] | null },
): Promise<{ startedBy?: string; isThere: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import:${subject}`}, 0))`.execute(trx);
  const other = await trx
    .selectFrom('imports')
    .innerJoin('operations', 'operations.id', 'imports.operationId')
    .select('operations.actorName as startedBy')
    .where('imports.subject', '=', subject)
    .where('operations.state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (other) return { ...other, isThere: true };
  const taking = trx.updateTable('imports').set({ operationId, scopes }).where('id', '=', id);
  return { isThere: (await taking.executeTakeFirst()).numUpdatedRows > 0n };
}

/**
 * Notes how far a row is. The commit does not wait for the disk: if a crash of PostgreSQL loses it, it also loses what was written later,
 * and a row whose end is lost is compared with what there is.
 */
export async function noteRow(
  platform: Platform,
  { importId, line }: Pick<ImportRow, 'importId' | 'line'>,
  { state, reasons }: Pick<ImportRow, 'state'> & Partial<Pick<ImportRow, 'reasons'>>,
): Promise<void> {
  await platform
    .updateTable('importRows')
    .set({ state, ...(reasons && { reasons: JSON.stringify(reasons) }) })
    .where('importId', '=', importId)
    .where('line', '=', line)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .execute();
}

/** Deletes the imports that were planned before a moment and never begun. */
export async function deletePlansBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('imports').where('operationId', 'is', null).where('createdAt', '<', before).execute();
}
