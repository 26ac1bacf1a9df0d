import { z } from 'zod';
import { recordStamps } from './caller-stamp.ts';
import {
  contentOf,
  creation,
  edit,
  faqDeletion,
  flags,
  icon,
  order,
  overview,
  published,
  withPeriod,
} from './faq-content.ts';
import { byId, changedRecord, count, isActive } from './fields.ts';
import { sentPlan } from './plan.ts';
import { route } from './route.ts';
import { moveByOne } from './sort-order.ts';
import { id } from './text.ts';

const sectionFields = {
  faqId: id('FQA is Required'),
  ...contentOf('Section'),
  icon,
};

/** The form: limits and messages of SPEC §5. */
export const sectionForm = withPeriod({ ...sectionFields, sortOrder: order, isActive, published });

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
  ...recordStamps,
});
export type FaqSection = z.infer<typeof faqSection>;

/** A section with the name of its FAQ, for a page that knows the section's id only. */
export const namedFaqSection = faqSection.extend({ faqName: z.string() });
export type NamedFaqSection = z.infer<typeof namedFaqSection>;

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
    keyed: true,
    body: z.object({ ...sectionFields, sortOrder: order, ...creation }),
    result: changedRecord,
  }),
  edit: route({
    feature: 'faqs',
    summary: 'Change a section',
    base: 'api',
    method: 'PUT',
    path: '/faqsection/edit',
    permission: 'faqs.write',
    body: z.object({
      ...sectionFields,
      overview: overview.optional(),
      icon: icon.optional(),
      sortOrder: order.optional(),
      ...edit,
    }),
    result: changedRecord,
  }),
  planDeletion: route({
    feature: 'faqs',
    summary: 'What deleting a section would delete with it; the message is for the confirmation',
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
    result: changedRecord,
  }),
  move: route({
    feature: 'faqs',
    summary: 'Move a section up or down by one place',
    base: 'api',
    method: 'PATCH',
    path: '/faqsection/updatesortorder',
    permission: 'faqs.write',
    query: moveByOne,
    result: changedRecord,
  }),
};
