import { ERRORS } from '@apotheca/contract/errors';
import { type MeanwhileChange, meanwhileChange, type StaleRecord, staleRecord } from '@apotheca/contract/version';
import { HttpResponse } from 'msw';

/** A field that Bob has changed meanwhile, checked against the contract. */
export const changedByBob = (field: string, before: unknown, after: unknown): MeanwhileChange =>
  meanwhileChange.parse({ field, before, after, by: 'bob', onUtc: '2026-03-04T09:30:00.000Z' });

/** The refusal of an edit that began with an older version. */
export function refusedAsStale(record: StaleRecord) {
  const { status, title } = ERRORS.stale;
  const result = staleRecord.parse(record);
  const message = 'bob changed this meanwhile. Nothing was saved yet.';
  return HttpResponse.json({ status, success: false, message, title, result }, { status });
}
