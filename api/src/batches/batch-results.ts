import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { csvHeading, csvRow } from '../csv.ts';
import { type BatchRow, findBegun, listRows } from './batches.repository.ts';
import { noBatch, resultOf } from './batches.service.ts';

const HEADINGS = ['Line', 'Record', 'Result', 'Details'];

/**
 * A file with what became of each row of a batch, in the order in which they came.
 * @param operationId one of the operations that have written it
 * @throws AppError not-found for an operation without rows
 */
export async function openBatchResults({ platform, now }: Context, operationId: string) {
  const begun = await findBegun(platform, { operationId }, now());
  if (!begun) throw noBatch('This operation has no results to download.');
  const lines = (await listRows(platform, begun.id)).map((row) =>
    csvRow([String(row.line), row.record, resultOf(row), detailsOf(row)]),
  );
  return {
    content: Readable.from([csvHeading(HEADINGS), ...lines]),
    name: `${begun.kind} results.csv`,
    type: 'text/csv; charset=utf-8',
  };
}

/** What changes, and why a row was refused, in one line. */
const detailsOf = ({ changes, reasons }: BatchRow): string =>
  [
    ...changes.map(({ heading, from, to }) => `${heading}: ${from || 'empty'} → ${to || 'empty'}`),
    ...reasons.map(({ heading, message }) => (heading === '' ? message : `${heading}: ${message}`)),
  ].join('; ');
