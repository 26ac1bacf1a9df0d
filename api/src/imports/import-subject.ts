import type { ImportColumn } from '@apotheca/contract/imports';
import { isSameName } from '@apotheca/contract/name-collation';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Cells, Refusal } from '../batches/batch-subject.ts';
import type { Context } from '../context.ts';

/** What a row of a file means, beside what there is. */
export interface ReadRow {
  /** The record that it is about, as cells, with its version; absent: there is none yet. */
  before?: { cells: Cells; version: number };
  /** How it would be afterwards, as cells. */
  after: Cells;
  /** Creates or changes it, as the call of the form does, with its audit entry. @throws AppError */
  write(context: Context, actor: Actor): Promise<unknown>;
}

/** What a feature says of its records, so that they can be imported. */
export interface ImportSubject {
  name: 'tenants' | 'users' | 'faqs';
  /** One of them, as in 'tenant'; the plural ends in s. */
  noun: string;
  columns: readonly ImportColumn[];
  /** What a row finds its record by, to be shown; the same whatever its case, as PostgreSQL compares names. Empty: the row does not say. */
  keyOf(cells: Cells): string;
  /** Reads what there is, once, and answers what reads the rows of a file one after the other. */
  openReader(context: Context, actor: Actor): Promise<(cells: Cells) => Promise<ReadRow | { refusal: Refusal }>>;
  /** Undoes what a killed server left of a row. */
  settle?(context: Context, cells: Cells): Promise<unknown>;
}

/** A value of a field that people choose by its name. */
interface Choice {
  id: string;
  name: string;
}
export type Choices = Record<string, readonly Choice[]>;

/** The cells of a row as values for the schema of a form: names as ids, numbers and yes or no as such where they are some. */
export function valuesOf(cells: Cells, columns: readonly ImportColumn[], choices: Choices = {}) {
  const values: Record<string, unknown> = {};
  const refusal: Record<string, string[]> = {};
  for (const { field, heading, type } of columns) {
    const cell = cells[field];
    if (cell === undefined) continue;
    const offered = choices[field];
    const chosen = offered?.find(({ id, name }) => isSameName(name, cell) || isSameName(id, cell));
    if (offered && !chosen) refusal[field] = [`There is no ${heading} '${cell.slice(0, 100).toWellFormed()}'`];
    values[field] = chosen?.id ?? READERS[type ?? '']?.(cell) ?? cell;
  }
  return { values, refusal };
}

const YES: ReadonlySet<string> = new Set(['yes', 'true', '1']);
const NO: ReadonlySet<string> = new Set(['no', 'false', '0']);

/** How cells are read that are no text. What is none of its type stays one, which the form's schema refuses with its own message. */
const READERS: Partial<Record<string, (cell: string) => unknown>> = {
  flag: (cell) => YES.has(cell.toLowerCase()) || (NO.has(cell.toLowerCase()) ? false : undefined),
  number: (cell) => (/^-?\d+$/.test(cell) ? Number(cell) : undefined),
};

/** Fields of a record as cells. */
export function cellsOf(fields: object, columns: readonly ImportColumn[], choices: Choices = {}): Cells {
  const values = fields as Record<string, unknown>;
  const cellOf = (field: string): string => {
    const value = values[field];
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return choices[field]?.find(({ id }) => id === value)?.name ?? String(value ?? '');
  };
  return Object.fromEntries(columns.map(({ field }) => [field, cellOf(field)]));
}

/** The messages of a schema by field. */
export function refusalOfIssues({ issues }: z.ZodError): Refusal {
  const messages = Object.groupBy(issues, ({ path }) => String(path[0] ?? ''));
  return Object.fromEntries(
    Object.entries(messages).map(([field, some = []]) => [field, some.map(({ message }) => message)]),
  );
}
