import { z } from 'zod';
import { flags } from './faq-content.ts';
import { byId, changedRecord } from './fields.ts';
import { route } from './route.ts';
import { atMost, utcMoment } from './text.ts';
import { sentVersion, version } from './version.ts';

/** What has revisions. */
export const FAQ_KINDS = ['faq', 'section', 'question'] as const;
export type FaqKind = (typeof FAQ_KINDS)[number];

/** How many revisions of a record are kept: the newest. Texts may be long, and nobody compares more. */
export const KEPT_REVISIONS = 300;

/** What a write can be that leaves a revision. */
export const REVISION_VERBS = ['create', 'edit', 'restore'] as const;

const record = byId.extend({ kind: z.enum(FAQ_KINDS, { error: 'kind must be faq, section or question' }) });

const WHOLE = 'revision must be a whole number';
/** The version that the record had with a revision. */
const revision = z
  .int({ error: WHOLE })
  .min(1, 'revision must be at least 1')
  .max(2_147_483_647, 'revision is too large');
const revisionInQuery = z
  .string({ error: WHOLE })
  .check(atMost(20, WHOLE))
  .regex(/^\d+$/, WHOLE)
  .transform(Number)
  .pipe(revision);

/** What revisions keep: the content of an FAQ, section or question with its flags and its period, but not its place. */
export const revisedContent = z.object({
  name: z.string().optional(),
  code: z.string().optional(),
  overview: z.string().optional(),
  module: z.string().nullable().optional(),
  icon: z.string().optional(),
  question: z.string().optional(),
  answer: z.string().optional(),
  ...flags,
});
export type RevisedContent = z.infer<typeof revisedContent>;

/** One revision in a list. */
export const faqRevision = z.object({
  /** The version that the record had with it. */
  revision: version,
  verb: z.enum(REVISION_VERBS),
  /** The fields of `revisedContent` that the write changed; empty where that is not known. */
  fields: z.array(z.string()),
  /** Name of who wrote it. */
  by: z.string(),
  onUtc: utcMoment,
});
export type FaqRevision = z.infer<typeof faqRevision>;

/** A revision beside what the record is now. */
export const comparedRevision = z.object({
  past: revisedContent,
  present: revisedContent,
  /** The record's version, to be sent with a restore. */
  version,
});
export type ComparedRevision = z.infer<typeof comparedRevision>;

export const faqRevisionRoutes = {
  list: route({
    feature: 'faqs',
    summary: `The newest ${KEPT_REVISIONS} revisions of an FAQ, a section or a question, newest first`,
    base: 'api',
    method: 'GET',
    path: '/faqrevision/get',
    permission: 'faqs.read',
    query: record,
    result: z.array(faqRevision),
    list: true,
  }),
  compare: route({
    feature: 'faqs',
    summary: 'A revision, and what the record is now',
    base: 'api',
    method: 'GET',
    path: '/faqrevision/compare',
    permission: 'faqs.read',
    query: record.extend({ revision: revisionInQuery }),
    result: comparedRevision,
  }),
  restore: route({
    feature: 'faqs',
    summary: 'Make an FAQ, a section or a question what it was, where it is; version is the one of the comparison',
    base: 'api',
    method: 'PUT',
    path: '/faqrevision/restore',
    permission: 'faqs.write',
    body: record.extend({ revision, version: sentVersion.version.unwrap() }),
    result: changedRecord,
  }),
};
