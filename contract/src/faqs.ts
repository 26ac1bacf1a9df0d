import { z } from 'zod';
import { createdBy, updatedBy } from './caller-stamp.ts';
import { sentPlan } from './plan.ts';
import { isEmptyRichText } from './rich-text.ts';
import { route } from './route.ts';
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

const LIMITS = FAQ_LIMITS;
const tooLong = (label: string, max: number) => `${label} should not be more than ${max} characters`;

const name = (label: string) => requiredText(LIMITS.name, `${label} is Required`, tooLong(label, LIMITS.name));
const code = (label: string) => requiredText(LIMITS.code, `${label} is Required`, tooLong(label, LIMITS.code));
/** Rich text that may be missing; what looks empty is stored as the empty string. */
const overview = optionalText(LIMITS.richText, tooLong('Overview', LIMITS.richText)).transform((html) =>
  isEmptyRichText(html) ? '' : html,
);
const answer = requiredText(LIMITS.richText, 'Answer is required', tooLong('Answer', LIMITS.richText)).refine(
  // One message is enough for an answer that is not there at all.
  (html) => html === '' || !isEmptyRichText(html),
  'Answer is required',
);
const order = sortOrder('Sort Order is Required', 'Sort Order must be greater than 0');
const isActive = z.boolean({ error: 'Active must be true or false' });
const published = z.boolean({ error: 'Published must be true or false' });

const creation = { isActive: isActive.default(true), published: published.default(true), ...createdBy };
/** What an edit does not name it keeps. */
const edit = {
  id: id(),
  isActive: isActive.optional(),
  published: published.optional(),
  ...sentVersion,
  ...updatedBy,
};

const faqFields = { name: name('FAQ Name'), code: code('FAQ Code'), overview };
const sectionFields = {
  faqId: id('FQA is Required'),
  name: name('Section Name'),
  code: code('Section Code'),
  overview,
  icon: optionalText(LIMITS.icon, tooLong('Icon', LIMITS.icon)),
};
const questionFields = {
  faqId: id('FAQ is Required'),
  sectionId: id('Section is Required'),
  question: requiredText(LIMITS.question, 'Question is Required', tooLong('Question', LIMITS.question)),
  answer,
};

/** The three forms: limits and messages of SPEC §5. */
export const faqForm = z.object({ ...faqFields, isActive, published });
export const sectionForm = z.object({ ...sectionFields, sortOrder: order, isActive, published });
export const questionForm = z.object({ ...questionFields, sortOrder: order, isActive, published });

const flags = { isActive: z.boolean(), published: z.boolean() };
const stamps = {
  version,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
  createdOnUtc: z.string(),
};
const count = z.number().int().nonnegative();

/** An FAQ as the list gives it, with how much is in it. */
export const faq = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  overview: z.string(),
  sortOrder: z.number().int(),
  sectionCount: count,
  questionCount: count,
  ...flags,
  ...stamps,
});
export type Faq = z.infer<typeof faq>;

export const faqSection = z.object({
  id: z.string(),
  faqId: z.string(),
  name: z.string(),
  code: z.string(),
  overview: z.string(),
  icon: z.string(),
  /** Dense and unique within the FAQ, from 0. */
  sortOrder: z.number().int(),
  questionCount: count,
  ...flags,
  ...stamps,
});
export type FaqSection = z.infer<typeof faqSection>;

/** A section with the name of its FAQ, for a page that knows the section's id only. */
export const namedFaqSection = faqSection.extend({ faqName: z.string() });
export type NamedFaqSection = z.infer<typeof namedFaqSection>;

export const faqQuestion = z.object({
  id: z.string(),
  faqId: z.string(),
  sectionId: z.string(),
  question: z.string(),
  answer: z.string(),
  /** Dense and unique within the section, from 0. */
  sortOrder: z.number().int(),
  ...flags,
  ...stamps,
});
export type FaqQuestion = z.infer<typeof faqQuestion>;

/** What deleting an FAQ or a section would take along. */
export const faqDeletion = z.object({
  sections: count,
  questions: count,
  /** Names this state of things; sent along as `plan`, nothing is deleted once it has changed. */
  digest: z.string(),
});
export type FaqDeletion = z.infer<typeof faqDeletion>;

/** Why a reader does not see something that stands in the tree; null where they do. */
const hiddenBecause = z.string().nullable();
const questionOfTree = faqQuestion.pick({ id: true, question: true, answer: true }).extend({ hiddenBecause });
const sectionOfTree = faqSection
  .pick({ id: true, name: true, code: true, overview: true, icon: true })
  .extend({ hiddenBecause, questions: z.array(questionOfTree) });
/** An FAQ as readers get it: sections and questions in their order. */
export const faqTree = faq
  .pick({ id: true, name: true, code: true, overview: true })
  .extend({ hiddenBecause, sections: z.array(sectionOfTree) });
export type FaqTree = z.infer<typeof faqTree>;

/** Something found by its text, with the names of what it is in. */
export const faqHit = z.object({
  kind: z.enum(['faq', 'section', 'question']),
  id: z.string(),
  faqId: z.string(),
  faqName: z.string(),
  sectionId: z.string().nullable(),
  sectionName: z.string().nullable(),
  /** Name or question. */
  title: z.string(),
  /** Plain text around what was found in the overview or answer; empty where the title or code has it. */
  excerpt: z.string(),
});
export type FaqHit = z.infer<typeof faqHit>;

const byId = z.object({ id: id() });
const changed = z.object({ id: z.string() });
const move = z.object({ id: id(), moveUp: z.stringbool({ error: 'moveUp must be true or false' }) });

export const faqRoutes = {
  list: route({
    feature: 'faqs',
    summary: 'All FAQs',
    base: 'api',
    method: 'GET',
    path: '/faq/get',
    permission: 'faqs.read',
    result: z.array(faq),
    list: true,
  }),
  create: route({
    feature: 'faqs',
    summary: 'Create an FAQ',
    base: 'api',
    method: 'POST',
    path: '/faq/create',
    permission: 'faqs.write',
    body: z.object({ ...faqFields, sortOrder: order.default(0), ...creation }),
    result: changed,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change an FAQ',
    base: 'api',
    method: 'PUT',
    path: '/faq/edit',
    permission: 'faqs.write',
    body: z.object({ ...faqFields, sortOrder: order.optional(), ...edit }),
    result: changed,
  }),
  previewDelete: route({
    feature: 'faqs',
    summary: 'What deleting an FAQ would take along; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/faq/previewdelete',
    permission: 'faqs.read',
    query: byId,
    result: faqDeletion,
  }),
  delete: route({
    feature: 'faqs',
    summary: 'Delete an FAQ with its sections and their questions',
    base: 'api',
    method: 'DELETE',
    path: '/faq/delete',
    permission: 'faqs.delete',
    query: byId.extend(sentPlan),
    result: changed,
  }),
  tree: route({
    feature: 'faqs',
    summary:
      'FAQs as readers see them: published and active only, in order; with hidden=true the rest too, with its reason',
    base: 'api',
    method: 'GET',
    path: '/faq/tree',
    permission: 'faqs.read',
    query: z.object({
      faqId: id().optional(),
      hidden: z.stringbool({ error: 'hidden must be true or false' }).default(false),
    }),
    result: z.array(faqTree),
  }),
  search: route({
    feature: 'faqs',
    summary: 'The first 100 FAQs, sections and questions that have a text, whatever its case',
    base: 'api',
    method: 'GET',
    path: '/faq/search',
    permission: 'faqs.read',
    query: z.object({
      text: requiredText(LIMITS.search, 'text is required', tooLong('text', LIMITS.search)),
    }),
    result: z.array(faqHit),
  }),
};

export const faqSectionRoutes = {
  list: route({
    feature: 'faqs',
    summary: 'The sections of an FAQ, in order',
    base: 'api',
    method: 'GET',
    path: '/faqsection/get',
    permission: 'faqs.read',
    query: z.object({ faqId: id() }),
    result: z.array(faqSection),
    list: true,
  }),
  find: route({
    feature: 'faqs',
    summary: 'One section, with the name of its FAQ',
    base: 'api',
    method: 'GET',
    path: '/faqsection/getbyid',
    permission: 'faqs.read',
    query: byId,
    result: namedFaqSection,
  }),
  create: route({
    feature: 'faqs',
    summary: 'Create a section',
    base: 'api',
    method: 'POST',
    path: '/faqsection/create',
    permission: 'faqs.write',
    body: z.object({ ...sectionFields, sortOrder: order, ...creation }),
    result: changed,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change a section',
    base: 'api',
    method: 'PUT',
    path: '/faqsection/edit',
    permission: 'faqs.write',
    body: z.object({ ...sectionFields, sortOrder: order.optional(), ...edit }),
    result: changed,
  }),
  previewDelete: route({
    feature: 'faqs',
    summary: 'What deleting a section would take along; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/faqsection/previewdelete',
    permission: 'faqs.read',
    query: byId,
    result: faqDeletion,
  }),
  delete: route({
    feature: 'faqs',
    summary: 'Delete a section with its questions',
    base: 'api',
    method: 'DELETE',
    path: '/faqsection/delete',
    permission: 'faqs.delete',
    query: byId.extend(sentPlan),
    result: changed,
  }),
  move: route({
    feature: 'faqs',
    summary: 'Move a section up or down by one place',
    base: 'api',
    method: 'PATCH',
    path: '/faqsection/updatesortorder',
    permission: 'faqs.write',
    query: move,
    result: changed,
  }),
};

export const faqQuestionRoutes = {
  list: route({
    feature: 'faqs',
    summary: 'The questions and answers of a section, in order',
    base: 'api',
    method: 'GET',
    path: '/faqquestionans/get',
    permission: 'faqs.read',
    query: z.object({ sectionId: id() }),
    result: z.array(faqQuestion),
    list: true,
  }),
  create: route({
    feature: 'faqs',
    summary: 'Create a question with its answer',
    base: 'api',
    method: 'POST',
    path: '/faqquestionans/create',
    permission: 'faqs.write',
    body: z.object({ ...questionFields, sortOrder: order, ...creation }),
    result: changed,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change a question and its answer',
    base: 'api',
    method: 'PUT',
    path: '/faqquestionans/edit',
    permission: 'faqs.write',
    body: z.object({ ...questionFields, sortOrder: order.optional(), ...edit }),
    result: changed,
  }),
  delete: route({
    feature: 'faqs',
    summary: 'Delete a question with its answer',
    base: 'api',
    method: 'DELETE',
    path: '/faqquestionans/delete',
    permission: 'faqs.delete',
    query: byId,
    result: changed,
  }),
  move: route({
    feature: 'faqs',
    summary: 'Move a question up or down by one place',
    base: 'api',
    method: 'PATCH',
    path: '/faqquestionans/updatesortorder',
    permission: 'faqs.write',
    query: move,
    result: changed,
  }),
};
