import type { ImportCounts } from '@apotheca/contract/imports';
import { cutText } from '../batches/batch-plan.ts';
import type { BatchSubject, FoundRow } from '../batches/batch-subject.ts';
import { counted, inWords } from '../wording.ts';
import type { ImportSubject, ReadRow } from './import-subject.ts';

/** The rows of CSV files as batches. */
export const importBatch = (subject: ImportSubject): BatchSubject => ({
  kind: `import-${subject.name}`,
  entity: subject.name,
  action: `${subject.name}.import`,
  columns: subject.columns,
  words: {
    participle: 'imported',
    step: `Writing ${subject.name}`,
    repeated: (line) => `Line ${line} is about this ${subject.noun} too.`,
    busy: (startedBy) =>
      `Another file of ${subject.name} is being imported (started by ${startedBy}). Please try again when that has ended.`,
    stale: 'Somebody else has changed this since the file was looked at. Please import it again.',
    gone: 'This plan is gone. Please choose the file again.',
    taken: 'This file is imported already.',
    none: 'There is no such import.',
    plan: 'What this file would do',
    cancelled: (left, done) => `The import was cancelled with ${left} to go. What was written stays: ${done}`,
  },
  keyOf: subject.keyOf,
  async openReader(context, actor) {
    const read = await subject.openReader(context, actor);
    return async (cells) => {
      const found = await read(cells);
      return 'refusal' in found ? found : compare(subject, found);
    };
  },
  ...(subject.settle && { settle: subject.settle }),
  nameOf: () => subject.name,
  describe: (counts) => describeCounts(subject, counts),
});

/** Compares a row with its record, cell by cell. */
function compare({ columns }: ImportSubject, { before, after, write }: ReadRow): FoundRow {
  if (!before) return { outcome: 'create', changes: [], write };
  const changes = columns
    .map(({ field, heading }) => ({ heading, from: before.cells[field] ?? '', to: after[field] ?? '' }))
    .filter(({ from, to }) => from !== to)
    .map(({ heading, from, to }) => ({ heading, from: cutText(from), to: cutText(to) }));
  const { version } = before;
  return changes.length > 0 ? { outcome: 'change', changes, version, write } : { outcome: 'same', changes, version };
}

/** '12 tenants were created, 3 were changed, 1 row was refused.' */
function describeCounts({ noun }: ImportSubject, { created, changed, same, refused }: ImportCounts): string {
  const parts = [
    `${counted(created, noun)} created`,
    `${changed} changed`,
    same > 0 && `${same} as they were`,
    refused > 0 && `${counted(refused, 'row')} refused`,
  ];
  return `${inWords(parts.filter((part) => part !== false))}.`;
}
