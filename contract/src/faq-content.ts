import { z } from 'zod';
import { createdBy, updatedBy } from './caller-stamp.ts';
import { count, tooLong } from './fields.ts';
import { isEmptyRichText } from './rich-text.ts';
import { sortOrder } from './sort-order.ts';
import { id, optionalText, requiredText } from './text.ts';
import { sentVersion, version } from './version.ts';

/** Length limits in UTF-16 units; those of rich text count its HTML. */
export const FAQ_LIMITS = {
  name: 256,
  code: 50,
  icon: 100,
  question: 1000,
  richText: 100_000,
  search: 200,
} as const;

export const name = (label: string) =>
  requiredText(FAQ_LIMITS.name, `${label} is Required`, tooLong(label, FAQ_LIMITS.name));
export const code = (label: string) =>
  requiredText(FAQ_LIMITS.code, `${label} is Required`, tooLong(label, FAQ_LIMITS.code));
/** Rich text that may be missing; what looks empty is stored as the empty string. */
export const overview = optionalText(FAQ_LIMITS.richText, tooLong('Overview', FAQ_LIMITS.richText)).transform((html) =>
  isEmptyRichText(html) ? '' : html,
);
export const order = sortOrder('Sort Order is Required', 'Sort Order must be greater than 0');
export const isActive = z.boolean({ error: 'Active must be true or false' });
export const published = z.boolean({ error: 'Published must be true or false' });

export const creation = { isActive: isActive.default(true), published: published.default(true), ...createdBy };
/** What an edit does not name it keeps. */
export const edit = {
  id: id(),
  isActive: isActive.optional(),
  published: published.optional(),
  ...sentVersion,
  ...updatedBy,
};

export const flags = { isActive: z.boolean(), published: z.boolean() };
export const stamps = {
  version,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
  createdOnUtc: z.string(),
};

/** What deleting an FAQ or a section would take along. */
export const faqDeletion = z.object({
  sections: count,
  questions: count,
  /** Names this state of things; sent along as `plan`, nothing is deleted once it has changed. */
  digest: z.string(),
});
export type FaqDeletion = z.infer<typeof faqDeletion>;

export const changed = z.object({ id: z.string() });
export const move = z.object({ id: id(), moveUp: z.stringbool({ error: 'moveUp must be true or false' }) });
