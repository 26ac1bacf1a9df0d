import { setImmediate } from 'node:timers/promises';
import type { ImportOutcome, PlannedImportRow } from '@apotheca/contract/imports';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { openNameKeys } from '../name-keys.ts';
import { digestOf } from '../plan.ts';
import type { BatchSubject, FoundRow, Refusal, RefusedRow, RowReader, SentRow } from './batch-subject.ts';

/** A row with what it would do. */
export type RowPlan = SentRow & PlannedImportRow & Pick<FoundRow, 'version' | 'write' | 'start'>;

/** After how many rows other calls have their turn: comparing thousands takes most of a second. */
const ROWS_IN_A_TURN = 50;

/** How much of a long text is shown. */
const SHOWN = 300;

/** Compares rows with what there is. */
export async function planRows(
  subject: BatchSubject,
  context: Context,
  actor: Actor,
  { asked, rows }: { asked: unknown; rows: readonly SentRow[] },
): Promise<RowPlan[]> {
  const read = await subject.openReader(context, actor, asked);
  const nameKeyOf = openNameKeys();
  const lines = new Map<string, number>();
  const plans: RowPlan[] = [];
  for (const { line, cells } of rows) {
    const key = subject.keyOf(cells);
    const nameKey = nameKeyOf(key);
    const earlier = lines.get(nameKey);
    const found = earlier === undefined ? await tryRead(read, cells) : repeated(subject, earlier);
    if (key !== '') lines.set(nameKey, earlier ?? line);
    if (plans.length % ROWS_IN_A_TURN === 0) await setImmediate();
    plans.push({ line, cells, record: cutText(key), ...outcomeOf(subject, found) });
  }
  return plans;
}

const repeated = ({ words }: BatchSubject, line: number): RefusedRow => ({
  refusal: { '': [words.repeated(line)] },
});

async function tryRead(read: RowReader, cells: SentRow['cells']): ReturnType<RowReader> {
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
export function reasonsOf({ columns }: BatchSubject, refusal: Refusal): PlannedImportRow['reasons'] {
  return Object.entries(refusal).flatMap(([field, messages]) => {
    const heading = columns.find((column) => column.field === field)?.heading ?? '';
    return messages.map((message) => ({ heading, message }));
  });
}

const outcomeOf = (subject: BatchSubject, found: FoundRow | RefusedRow) =>
  'outcome' in found
    ? { ...found, reasons: [] }
    : {
        outcome: 'refused' as const,
        changes: [],
        reasons: reasonsOf(subject, found.refusal),
        ...(found.record !== undefined && { record: found.record }),
      };

/** A text as it is shown. */
export const cutText = (text: string): string =>
  text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;

/** What is answered of a plan. */
export function planOf(id: string, rows: readonly RowPlan[]) {
  const shown = rows.map(({ line, cells, record, outcome, changes, reasons }) => ({
    line,
    ...idOf(cells),
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

/** The id of a selected record, which the rows of files do not have. */
export const idOf = ({ id }: SentRow['cells']): { id?: string } => (id === undefined ? {} : { id });
