import { z } from 'zod';
import { recordStamps } from './caller-stamp.ts';
import { creation, edit, FAQ_LIMITS, flags, order, published, withPeriod } from './faq-content.ts';
import { byId, changedRecord, count, isActive, tooLong } from './fields.ts';
import { isEmptyRichText } from './rich-text.ts';
import { route } from './route.ts';
import { moveByOne } from './sort-order.ts';
import { id, requiredText } from './text.ts';

const answer = requiredText(FAQ_LIMITS.richText, 'Answer is required', tooLong('Answer', FAQ_LIMITS.richText)).refine(
  // An empty answer has been refused with the same message already.
  (html) => html === '' || !isEmptyRichText(html),
  'Answer is required',
);
const questionFields = {
  faqId: id('FAQ is Required'),
  sectionId: id('Section is Required'),
  question: requiredText(FAQ_LIMITS.question, 'Question is Required', tooLong('Question', FAQ_LIMITS.question)),
  answer,
};

/** The form: limits and messages of SPEC §5. */
export const questionForm = withPeriod({ ...questionFields, sortOrder: order, isActive, published });

export const faqQuestion = z.object({
  id: z.string(),
  faqId: z.string(),
  sectionId: z.string(),
  question: z.string(),
  answer: z.string(),
  /** Dense and unique within the section, from 0. */
  sortOrder: z.number().int(),
  /** How many readers of public pages found the answer helpful, and how many did not. */
  helpful: count,
  unhelpful: count,
  ...flags,
  ...recordStamps,
});
export type FaqQuestion = z.infer<typeof faqQuestion>;

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
    keyed: true,
    body: z.object({ ...questionFields, sortOrder: order, ...creation }),
    result: changedRecord,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change a question and its answer',
    base: 'api',
    method: 'PUT',
    path: '/faqquestionans/edit',
    permission: 'faqs.write',
    body: z.object({ ...questionFields, sortOrder: order.optional(), ...edit }),
    result: changedRecord,
  }),
  delete: route({
    feature: 'faqs',
    summary: 'Delete a question with its answer',
    base: 'api',
    method: 'DELETE',
    path: '/faqquestionans/delete',
    permission: 'faqs.delete',
    query: byId,
    result: changedRecord,
  }),
  move: route({
    feature: 'faqs',
    summary: 'Move a question up or down by one place',
    base: 'api',
    method: 'PATCH',
    path: '/faqquestionans/updatesortorder',
    permission: 'faqs.write',
    query: moveByOne,
    result: changedRecord,
  }),
};
