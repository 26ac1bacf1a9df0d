import type { ImportCounts, PlannedImportRow } from '@apotheca/contract/imports';
import type { OperationKindName } from '@apotheca/contract/operations';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';

/** What stands in the cells of a row, by field. Empty cells are left out. */
export type Cells = Record<string, string>;

/** A row as it came. */
export interface SentRow {
  /** Its place: the line of a file, or which of the selected records it is, from 1. */
  line: number;
  cells: Cells;
}

/** Messages by field; those about the whole row have the field ''. */
export type Refusal = Record<string, readonly string[]>;

/** What a row would do, beside what there is. */
export interface FoundRow extends Pick<PlannedImportRow, 'outcome' | 'changes'> {
  /** What its record is called; absent: as the row says. */
  record?: string;
  /** That of the record; absent: the row is written whatever version it has then. */
  version?: number;
  /** Writes it, as the call for one record does, with its audit entry. @throws AppError */
  write?(context: Context, actor: Actor): Promise<unknown>;
  /** For what takes long: starts the operation of the call for one record, in place of `write`. @param id which it gets @throws AppError */
  start?(context: Context, actor: Actor, id: string): Promise<unknown>;
}

/** A row that cannot be written. */
export interface RefusedRow {
  refusal: Refusal;
  /** What its record is called; absent: as the row says. */
  record?: string;
}

/** Reads a row. @throws AppError, which refuses it */
export type RowReader = (cells: Cells) => Promise<FoundRow | RefusedRow>;

/** What rows are called, and what is said of them. */
interface BatchWords {
  /** What is done to records of its kind meanwhile, as in 'Databases are being imported'. */
  participle: string;
  /** The step that takes long. */
  step: string;
  /** Of a row whose record is in an earlier one. */
  repeated(line: number): string;
  /** Of a batch that comes while another one goes on. @param startedBy a name */
  busy(startedBy: string): string;
  /** Of a row whose record has changed since it was planned. */
  stale: string;
  gone: string;
  /** Of a batch that is to be started, and is done. */
  taken: string;
  none: string;
  /** What a plan is about, as in 'What this file would do'. */
  plan: string;
  /** Of a batch that was cancelled. @param left as in '12 rows' @param done what {@link BatchSubject.describe} says */
  cancelled(left: string, done: string): string;
}

/** A kind of rows that are planned, kept and written: what an import, or a change of many records, says of itself. */
export interface BatchSubject<Asked = unknown> {
  /** Of its operation; there is one at a time. */
  kind: OperationKindName;
  entity: 'tenants' | 'users' | 'faqs' | 'databases' | 'permissions';
  /** The action of its audit entry. */
  action: string;
  /** The heading of each field, under which a refusal stands. */
  columns: readonly { field: string; heading: string }[];
  words: BatchWords;
  /** What a row finds its record by; the same in upper and lower case. Empty: the row does not say. */
  keyOf(cells: Cells): string;
  /** Reads what there is, once, and answers what reads the rows one after the other. @param asked what is asked of all of them */
  openReader(context: Context, actor: Actor, asked: Asked): Promise<RowReader>;
  /** How many rows may be written at once, where each starts an operation; absent: one after the other. @param signal ends it early */
  atOnce?(context: Context, asked: Asked, signal: AbortSignal): Promise<number>;
  /** Undoes what a killed server left of a row. What others have left is no matter of its batch. */
  settle?(context: Context, cells: Cells): Promise<unknown>;
  /** What it is about, in the list of operations. @param rows how many it writes */
  nameOf(rows: number): string;
  /** What it did: '12 tenants created and 3 changed.' */
  describe(counts: ImportCounts, asked: Asked): string;
}
