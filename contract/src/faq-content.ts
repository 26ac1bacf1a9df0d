import { z } from 'zod';
import { createdBy, updatedBy } from './caller-stamp.ts';
import { count, isActive, tooLong, whenValid } from './fields.ts';
import { isEmptyRichText } from './rich-text.ts';
import { sortOrder } from './sort-order.ts';
import { id, optionalText, requiredText, sentMoment, utcMoment } from './text.ts';
import { sentVersion } from './version.ts';

/** Length limits in UTF-16 units; those of rich text count its HTML. */
export const FAQ_LIMITS = {
  name: 256,
  code: 50,
  icon: 100,
  question: 1000,
  richText: 100_000,
  search: 200,
} as const;

const required = (field: 'name' | 'code', label: string) =>
  requiredText(FAQ_LIMITS[field], `${label} is Required`, tooLong(label, FAQ_LIMITS[field]));
/** Rich text that may be missing; what shows nothing is stored as the empty string. */
export const overview = optionalText(FAQ_LIMITS.richText, tooLong('Overview', FAQ_LIMITS.richText)).transform((html) =>
  isEmptyRichText(html) ? '' : html,
);
/** The fields that FAQs and sections share. @param kind the word for it in messages */
export const contentOf = (kind: 'FAQ' | 'Section') => ({
  name: required('name', `${kind} Name`),
  code: required('code', `${kind} Code`),
  overview,
});
export const icon = optionalText(FAQ_LIMITS.icon, tooLong('Icon', FAQ_LIMITS.icon));
export const order = sortOrder('Sort Order is Required', 'Sort Order must be greater than 0');
export const published = z.boolean({ error: 'Published must be true or false' });

/**
 * When readers see something: from a moment on, until a moment; null: at any time. Whole minutes, to which moments are cut: what readers see
 * changes with the minute only (decision 056).
 */
const moment = (label: string) => {
  const invalid = `${label} must be a moment in UTC, such as 2026-01-31T08:15:00Z`;
  return sentMoment(invalid, {})
    .transform((value) => new Date(Date.parse(value) - (Date.parse(value) % 60_000)).toISOString())
    .nullable();
};
export const period = { publishAtUtc: moment('Publish At'), publishUntilUtc: moment('Publish Until') };
export type Period = Record<keyof typeof period, string | null>;
export const ALWAYS: Period = { publishAtUtc: null, publishUntilUtc: null };

export const UNTIL_BEFORE_AT = 'Publish Until must be later than Publish At';
/** Whether a period has an end that comes after its beginning. */
export const isPeriod = ({ publishAtUtc, publishUntilUtc }: Period): boolean =>
  publishAtUtc === null || publishUntilUtc === null || publishAtUtc < publishUntilUtc;
/** A form with the rule over both fields of a period. */
export const withPeriod = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...shape, ...period }).refine((form) => isPeriod(form as unknown as Period), {
    error: UNTIL_BEFORE_AT,
    path: ['publishUntilUtc'],
    ...whenValid(period),
  });

export const creation = {
  isActive: isActive.default(true),
  published: published.default(true),
  publishAtUtc: period.publishAtUtc.default(null),
  publishUntilUtc: period.publishUntilUtc.default(null),
  ...createdBy,
};
/** An edit keeps what it does not name. */
export const edit = {
  id: id(),
  isActive: isActive.optional(),
  published: published.optional(),
  publishAtUtc: period.publishAtUtc.optional(),
  publishUntilUtc: period.publishUntilUtc.optional(),
  ...sentVersion,
  ...updatedBy,
};

export const flags = {
  isActive: z.boolean(),
  published: z.boolean(),
  publishAtUtc: utcMoment.nullable(),
  publishUntilUtc: utcMoment.nullable(),
};

/** What deleting an FAQ or a section would delete with it. */
export const faqDeletion = z.object({
  sections: count,
  questions: count,
  /** Sent as `plan` with the deletion, so that nothing is deleted if things have changed since. */
  digest: z.string(),
});
export type FaqDeletion = z.infer<typeof faqDeletion>;
