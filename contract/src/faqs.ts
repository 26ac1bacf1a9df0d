import { z } from 'zod';
import { recordStamps } from './caller-stamp.ts';
import {
  contentOf,
  creation,
  edit,
  FAQ_LIMITS,
  faqDeletion,
  flags,
  order,
  overview,
  published,
  withPeriod,
} from './faq-content.ts';
import { faqQuestion } from './faq-questions.ts';
import { faqSection } from './faq-sections.ts';
import { byId, changedRecord, count, isActive, tooLong } from './fields.ts';
import { PERMISSION_MODULES } from './permissions.ts';
import { sentPlan } from './plan.ts';
import { route } from './route.ts';
import { id, requiredText } from './text.ts';

const faqFields = contentOf('FAQ');

/** The module of permissions that a tenant must have to see the FAQ; null: everybody sees it. */
const module = z.enum(PERMISSION_MODULES, { error: 'Module must be one of the modules of permissions' }).nullable();

/** The form: limits and messages of SPEC §5. */
export const faqForm = withPeriod({ ...faqFields, module, isActive, published });

/** An FAQ as lists give it, with how many sections and questions it has. */
export const faq = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  overview: z.string(),
  module: z.string().nullable(),
  sortOrder: z.number().int(),
  sectionCount: count,
  questionCount: count,
  ...flags,
  ...recordStamps,
});
export type Faq = z.infer<typeof faq>;

/** Where the public pages of FAQs are. */
export const PUBLIC_FAQS = '/public/faqs';
/** The path of an FAQ's public page: by its code where that is plain. */
export const publicFaqPath = ({ id, code }: Pick<Faq, 'id' | 'code'>): string =>
  `${PUBLIC_FAQS}/${/^[\w-]+$/.test(code) ? code : id}`;

/** Why readers do not see this entry; null if they do. */
const hiddenBecause = z.string().nullable();
const questionOfTree = faqQuestion
  .pick({ id: true, question: true, answer: true, helpful: true, unhelpful: true })
  .extend({ hiddenBecause });
const sectionOfTree = faqSection
  .pick({ id: true, name: true, code: true, overview: true, icon: true })
  .extend({ hiddenBecause, questions: z.array(questionOfTree) });
/** An FAQ as readers get it, with its sections and questions in order. */
export const faqTree = faq
  .pick({ id: true, name: true, code: true, overview: true })
  .extend({ hiddenBecause, sections: z.array(sectionOfTree) });
export type FaqTree = z.infer<typeof faqTree>;

/** A search result, with the names of the FAQ and the section that it belongs to. */
export const faqHit = z.object({
  kind: z.enum(['faq', 'section', 'question']),
  id: z.string(),
  faqId: z.string(),
  faqName: z.string(),
  sectionId: z.string().nullable(),
  sectionName: z.string().nullable(),
  /** Name or question. */
  title: z.string(),
  /** Plain text around the match in the overview or answer; empty where the title or code matches. */
  excerpt: z.string(),
});
export type FaqHit = z.infer<typeof faqHit>;

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
    keyed: true,
    body: z.object({ ...faqFields, module: module.default(null), sortOrder: order.default(0), ...creation }),
    result: changedRecord,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change an FAQ',
    base: 'api',
    method: 'PUT',
    path: '/faq/edit',
    permission: 'faqs.write',
    body: z.object({
      ...faqFields,
      overview: overview.optional(),
      module: module.optional(),
      sortOrder: order.optional(),
      ...edit,
    }),
    result: changedRecord,
  }),
  planDeletion: route({
    feature: 'faqs',
    summary: 'What deleting an FAQ would delete with it; the message is for the confirmation',
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
    result: changedRecord,
  }),
  tree: route({
    feature: 'faqs',
    summary:
      'FAQs as readers see them: published and active only, in order; with hidden=true also the others, each with the reason',
    base: 'api',
    method: 'GET',
    path: '/faq/tree',
    permission: 'faqs.read',
    query: z.object({
      faqId: id().optional(),
      hidden: z.stringbool({ error: 'hidden must be true or false' }).default(false),
    }),
    result: z.array(faqTree),
    list: true,
  }),
  search: route({
    feature: 'faqs',
    summary: 'The first 100 FAQs, sections and questions that contain a text, in upper or lower case',
    base: 'api',
    method: 'GET',
    path: '/faq/search',
    permission: 'faqs.read',
    query: z.object({
      text: requiredText(FAQ_LIMITS.search, 'text is required', tooLong('text', FAQ_LIMITS.search)),
    }),
    result: z.array(faqHit),
    list: true,
  }),
};
