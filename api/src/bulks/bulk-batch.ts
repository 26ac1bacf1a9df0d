import type { ImportCounts } from '@apotheca/contract/imports';
import { refusalOfError } from '../batches/batch-plan.ts';
import type { BatchSubject } from '../batches/batch-subject.ts';
import { AppError } from '../errors.ts';
import { counted, inWords } from '../wording.ts';
import type { Asked, BulkSubject } from './bulk-subject.ts';

/** Selected records as batches. */
export const bulkBatch = <Of extends Asked>(subject: BulkSubject<Of>): BatchSubject =>
  ({
    kind: `bulk-${subject.name}`,
    entity: subject.name,
    action: `${subject.name}.bulk`,
    columns: subject.columns ?? [],
    words: {
      participle: 'changed with others',
      step: `Going through the ${subject.noun}s`,
      repeated: () => `This ${subject.noun} is selected twice.`,
      busy: (startedBy) =>
        `Something is being done with many ${subject.noun}s already (started by ${startedBy}). Please try again when that has ended.`,
      stale: 'Somebody else has changed this meanwhile. Please look at it again.',
      gone: 'This plan is gone. Please choose the action again.',
      taken: 'This is done already.',
      none: 'There is no such change of many records.',
      plan: 'What this would do',
      cancelled: (left, done) => `Cancelled with ${left} to go. What was done stays: ${done}`,
    },
    keyOf: ({ id = '' }) => id,
    ...(subject.atOnce && { atOnce: subject.atOnce }),
    async openReader(context, actor, asked) {
      const find = await subject.openRecords(context, actor, asked);
      return async ({ id = '' }) => {
        const found = find(id);
        if (!found) return { refusal: { '': [`There is no such ${subject.noun}.`] } };
        const { record } = found;
        try {
          return { record, ...(await found.plan()) };
        } catch (error) {
          if (error instanceof AppError) return { record, refusal: refusalOfError(error) };
          throw error;
        }
      };
    },
    nameOf: (rows) => counted(rows, subject.noun),
    describe: (counts, asked) => describeCounts(subject, counts, asked),
  }) satisfies BatchSubject<Of> as BatchSubject;

const doneBy = <Of extends Asked>({ done }: BulkSubject<Of>, asked: Of): string => done[asked.action as Of['action']];

/** '12 tenants deactivated, 3 as they were and 1 refused.' */
function describeCounts<Of extends Asked>(
  subject: BulkSubject<Of>,
  { changed, same, refused }: ImportCounts,
  asked: Of,
): string {
  const parts = [
    `${counted(changed, subject.noun)} ${doneBy(subject, asked)}`,
    same > 0 && `${same} as they were`,
    refused > 0 && `${refused} refused`,
  ];
  return `${inWords(parts.filter((part) => part !== false))}.`;
}
