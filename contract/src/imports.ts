import { z } from 'zod';
import type { Feature } from './features.ts';
import { byId, count } from './fields.ts';
import { OPERATION_STATES } from './operations.ts';
import type { PermissionIdentifier } from './permission-catalogue.ts';
import { route } from './route.ts';
import { atMost, id, utcMoment } from './text.ts';

/** How large a CSV file may be. */
export const IMPORT_LIMITS = { rows: 5_000, bytes: 4 * 1024 * 1024 } as const;

/** A column of a CSV file, which is a field of the form. */
export interface ImportColumn {
  field: string;
  /** The heading, which is also the field's label. */
  heading: string;
  /** Every file has the columns of the key, by which a row finds its record; a new record needs the others that are `new`. */
  needed?: 'key' | 'new';
  /** How a cell is written: yes or no, a whole number, a day (YYYY-MM-DD), the name of a choice of the form. Absent: as text. */
  type?: 'flag' | 'number' | 'day' | 'choice';
  /** In the row of the template. */
  example: string;
}

/** What would become of a row. */
export const IMPORT_OUTCOMES = ['create', 'change', 'same', 'refused'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** What became of a row: `waiting` for one that was not reached before the import was cancelled. */
export const IMPORT_RESULTS = ['created', 'changed', 'same', 'refused', 'waiting'] as const;
export type ImportResult = (typeof IMPORT_RESULTS)[number];

/** How many rows there are of each word. */
export const countsOf = <const Word extends string>(words: readonly Word[]) =>
  z.object(Object.fromEntries(words.map((word) => [word, count])) as Record<Word, typeof count>);

/** What is said of a row, planned and written. */
export const importRow = z.object({
  /** The line of the file that it begins on, from 1. */
  line: z.number().int().positive(),
  /** What it finds its record by, such as the code of a tenant. */
  record: z.string(),
  /** The fields of a record that there is, with what stands there and in the file, as in a cell. Long texts are cut. */
  changes: z.array(z.object({ heading: z.string(), from: z.string(), to: z.string() })),
  /** Why it is refused; with the heading of the column, or an empty one where it is about the whole row. */
  reasons: z.array(z.object({ heading: z.string(), message: z.string() })),
});

const plannedRow = importRow.extend({ outcome: z.enum(IMPORT_OUTCOMES) });
export type PlannedImportRow = z.infer<typeof plannedRow>;

/** What an import would do. The file is kept under `id` until the caller's next one, at most for a day. */
export const importPlan = z.object({
  id: z.string(),
  counts: countsOf(IMPORT_OUTCOMES),
  rows: z.array(plannedRow),
  /** Differs as soon as anything of it does. */
  digest: z.string(),
});
export type ImportPlan = z.infer<typeof importPlan>;

const importCounts = countsOf(IMPORT_RESULTS);
export type ImportCounts = z.infer<typeof importCounts>;

const importedRow = importRow.extend({ result: z.enum(IMPORT_RESULTS) });
export type ImportedRow = z.infer<typeof importedRow>;

/** How many rows a report has at most that is asked for from a line on. */
export const ROWS_OF_PROGRESS = 500;

const NO_LINE = 'fromLine is invalid';

/** Which plan is carried out. */
export const startQuery = byId.extend({
  /** Digest of the plan. */
  plan: z.string({ error: 'plan is required' }).max(100),
});

/** Which report is meant: the newest one, unless another is asked for by its id or an operation's. */
export const reportQuery = z.object({
  id: id().optional(),
  operationId: id('operationId is invalid').optional(),
  /** Then it has only rows from this one on that are no longer waiting, for who has the others; absent: all. */
  fromLine: z
    .string({ error: NO_LINE })
    .check(atMost(9, NO_LINE))
    .regex(/^[1-9]\d*$/, NO_LINE)
    .transform(Number)
    .optional(),
});

/** What an import did, also one that goes on or was cancelled. */
export const importReport = z.object({
  id: z.string(),
  /** The newest operation that writes it. */
  operationId: z.string(),
  /** Name of the user who started it. */
  startedBy: z.string(),
  startedOnUtc: utcMoment,
  /** That of the operation. */
  state: z.enum(OPERATION_STATES),
  counts: importCounts,
  rows: z.array(importedRow),
});
export type ImportReport = z.infer<typeof importReport>;

/** What the calls of a batch are for, and where they are. */
export interface Batch {
  feature: Feature;
  /** In the plural, as in 'tenants'. */
  noun: string;
  /** Where the feature's calls are. */
  path: `/${string}`;
  permission: PermissionIdentifier;
  /** It gives rights. */
  fresh?: true;
}

/** The calls that import the records of a feature from a CSV file: plan, do what was planned, look at what was done. */
export const importRoutes = <const Of extends Batch>({ feature, noun, path, permission, fresh }: Of) => ({
  plan: route({
    feature,
    summary: `What a CSV file of ${noun} would create and change, row by row; nothing is written`,
    base: 'api',
    method: 'POST',
    path: `${path}/planimport`,
    permission,
    upload: true,
    errors: ['invalid'],
    result: importPlan,
  }),
  start: route({
    feature,
    summary: `Write a planned CSV file of ${noun}, row by row; a row that fails does not stop the others`,
    base: 'api',
    method: 'POST',
    path: `${path}/import`,
    permission,
    ...(fresh && { fresh }),
    operation: true,
    query: startQuery,
    result: z.object({ id: z.string(), counts: importCounts }),
  }),
  report: route({
    feature,
    summary: `What an import of ${noun} did with each row of its file: the newest one, unless another is asked for by its id or an operation's`,
    base: 'api',
    method: 'GET',
    path: `${path}/importreport`,
    permission,
    query: reportQuery,
    /** null: nothing has been imported yet. */
    result: importReport.nullable(),
  }),
});
export type ImportRoutes = ReturnType<typeof importRoutes>;
