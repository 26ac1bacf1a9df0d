import { setImmediate } from 'node:timers/promises';
import type { ImportOutcome, PlannedImportRow } from '@apotheca/contract/imports';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { digestOf } from '../plan.ts';
import type { Cells, FileRow } from './csv-file.ts';
import type { ImportSubject, ReadRow, Refusal } from './import-subject.ts';

/** A row with what it would do. */
export interface RowPlan extends PlannedImportRow {
  cells: Cells;
  version?: number | undefined;
  /** Absent where there is nothing to write. */
  write?: ReadRow['write'];
}

/** After how many rows other calls have their turn: comparing thousands takes most of a second. */
const ROWS_IN_A_TURN = 50;

/** How much of a long text is shown. */
const SHOWN = 300;

/** Compares the rows of a file with what there is. */
export async function planRows(
  subject: ImportSubject,
  context: Context,
  actor: Actor,
  rows: readonly FileRow[],
): Promise<RowPlan[]> {
  const read = await subject.openReader(context, actor);
  const lines = new Map<string, number>();
  const plans: RowPlan[] = [];
  for (const row of rows) {
    const key = subject.keyOf(row.cells);
    const earlier = lines.get(key.toLowerCase());
    const found = earlier === undefined ? await tryRead(read, row.cells) : { refusal: repeated(subject, earlier) };
    if (key !== '') lines.set(key.toLowerCase(), earlier ?? row.line);
    if (plans.length % ROWS_IN_A_TURN === 0) await setImmediate();
    plans.push({ ...row, record: cut(key), ...outcomeOf(subject, found) });
  }
  return plans;
}

const repeated = ({ noun }: ImportSubject, line: number): Refusal => ({
  '': [`Line ${line} is about this ${noun} too.`],
});

type Reader = Awaited<ReturnType<ImportSubject['openReader']>>;

async function tryRead(read: Reader, cells: Cells): ReturnType<Reader> {
  try {
    return await read(cells);
  } catch (error) {
    if (error instanceof AppError) return { refusal: refusalOfError(error) };
    throw error;
  }
}

/** The messages of a refused call by field. */
export const refusalOfError = ({ message, details }: AppError): Refusal => details.errors ?? { '': [message] };

/** Messages by field with the headings of their columns. */
export function reasonsOf({ columns }: ImportSubject, refusal: Refusal): PlannedImportRow['reasons'] {
  return Object.entries(refusal).flatMap(([field, messages]) => {
    const heading = columns.find((column) => column.field === field)?.heading ?? '';
    return messages.map((message) => ({ heading, message }));
  });
}

function outcomeOf(
  subject: ImportSubject,
  found: ReadRow | { refusal: Refusal },
): Omit<RowPlan, keyof FileRow | 'record'> {
  if ('refusal' in found) return { outcome: 'refused', changes: [], reasons: reasonsOf(subject, found.refusal) };
  const { before, after, write } = found;
  if (!before) return { outcome: 'create', changes: [], reasons: [], write };
  const changes = subject.columns
    .map(({ field, heading }) => ({ heading, from: before.cells[field] ?? '', to: after[field] ?? '' }))
    .filter(({ from, to }) => from !== to)
    .map(({ heading, from, to }) => ({ heading, from: cut(from), to: cut(to) }));
  const outcome: ImportOutcome = changes.length > 0 ? 'change' : 'same';
  return { outcome, changes, reasons: [], version: before.version, ...(outcome === 'change' && { write }) };
}

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text);

/** What is answered of a plan. */
export function planOf(id: string, rows: readonly RowPlan[]) {
  const shown = rows.map(({ line, record, outcome, changes, reasons }) => ({
    line,
    record,
    outcome,
    changes,
    reasons,
  }));
  const count = (outcome: ImportOutcome) => rows.filter((row) => row.outcome === outcome).length;
  return {
    id,
    counts: { create: count('create'), change: count('change'), same: count('same'), refused: count('refused') },
    rows: shown,
    digest: digestOf(rows.map((row, place) => [shown[place], row.version])),
  };
}
