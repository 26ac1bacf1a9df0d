import { isPeriod, type Period, UNTIL_BEFORE_AT } from '@apotheca/contract/faq-content';
import { fieldError } from '../../errors.ts';

interface StoredPeriod {
  publishAt: Date | null;
  publishUntil: Date | null;
}

/** A row with its period in the contract's words. */
export const withPeriod = <Row extends StoredPeriod>(row: Row): Row & Period => ({
  ...row,
  publishAtUtc: row.publishAt?.toISOString() ?? null,
  publishUntilUtc: row.publishUntil?.toISOString() ?? null,
});

/** Fields with their period as columns. */
export const toColumns = <Fields extends Period>({ publishAtUtc, publishUntilUtc, ...fields }: Fields) => ({
  ...fields,
  publishAt: publishAtUtc,
  publishUntil: publishUntilUtc,
});

/** The period after an edit, which keeps what it does not name. @throws AppError invalid */
export function editedPeriod(before: Period, named: { [Field in keyof Period]?: Period[Field] | undefined }): Period {
  const { publishAtUtc = before.publishAtUtc, publishUntilUtc = before.publishUntilUtc } = named;
  return refuseNoPeriod({ publishAtUtc, publishUntilUtc });
}

/** @throws AppError invalid where the period ends before it begins */
export function refuseNoPeriod<Fields extends Period>(fields: Fields): Fields {
  if (!isPeriod(fields)) throw fieldError('invalid', 'publishUntilUtc', UNTIL_BEFORE_AT);
  return fields;
}

/**
 * SQL of whether readers see a row, apart from what it is in: it is published, active and within its period (decision 056).
 * @param minute placeholder of the minute that readers ask in
 */
export const isShown = (row: string, minute: string): string => `(
  ${row}.is_active and ${row}.published and coalesce(${row}.publish_at <= ${minute}::timestamptz, true)
  and coalesce(${row}.publish_until > ${minute}::timestamptz, true))`;

/** The minute of a moment. Within it readers see the same, unless something is written. */
export const minuteOf = (moment: Date): string =>
  new Date(moment.getTime() - (moment.getTime() % 60_000)).toISOString();
