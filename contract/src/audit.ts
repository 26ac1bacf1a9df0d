import { z } from 'zod';
import { count } from './fields.ts';
import { route } from './route.ts';
import { atMost, isStorable, NOT_STORABLE, requiredText, sentMoment, utcMoment } from './text.ts';

/** What came of an action: it was done, it failed or was cancelled, or it was refused. */
export const OUTCOMES = ['succeeded', 'failed', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How many entries the list about a record has at most. */
export const RECORD_ENTRIES = 200;

/** How many entries a search answers at most. */
export const SEARCH_PAGE = 100;

/**
 * Fields of an entry's `changes` that hold a list: `added: ['a', 'b']` is a fact with two items, where `city: ['Everett', 'Aspen']` is the
 * value before and after. Whoever audits another list names its field here.
 */
export const LIST_FIELDS: ReadonlySet<string> = new Set([
  'added',
  'addresses',
  'extra',
  'fields',
  'kept',
  'leftOut',
  'parked',
  'permissions',
  'questions',
  'removed',
  'roles',
  'scopes',
  'sections',
  'tables',
]);

/** An entry of the audit trail (DECISIONS §12). */
export const auditEntry = z.object({
  id: z.string(),
  onUtc: utcMoment,
  actorId: z.string().nullable(),
  actorName: z.string(),
  action: z.string(),
  /** What kind of record it is about, as in 'tenants'. */
  entity: z.string(),
  /** The record's id; empty where it is about none, such as a sign-in under an unknown name. */
  entityId: z.string(),
  outcome: z.enum(OUTCOMES),
  address: z.string(),
  /** Changed fields as `{ field: [before, after] }`, and other facts about the action; never a secret. */
  changes: z.record(z.string(), z.unknown()),
});
export type AuditTrailEntry = z.infer<typeof auditEntry>;

/** What a search has found so far. */
export const auditPage = z.object({
  /** Newest first. */
  entries: z.array(auditEntry),
  /** From where the search goes on: `before` for the next call, and when that entry was written; null: there is no more. */
  further: z.object({ before: z.string(), onUtc: utcMoment }).nullable(),
});
export type AuditPage = z.infer<typeof auditPage>;

const moment = (name: string) => {
  const wrong = `${name} must be a moment such as 2026-01-31T08:15:00Z`;
  return sentMoment(wrong).optional();
};

/** A filter that may be absent or empty. */
const filter = (name: string, max: number) =>
  z
    .string({ error: `${name} must be a text` })
    .refine(isStorable, NOT_STORABLE)
    .trim()
    .max(max, `${name} should not be more than ${max} characters`)
    .optional()
    .transform((value) => value || undefined);

/** Something that is no ASCII punctuation, blank or control character. */
const HAS_WORD = /[0-9A-Za-z\u0080-\uffff]/;

/** What narrows the trail; absent or empty: everything. */
const filters = {
  /** At this moment or later. */
  from: moment('from'),
  /** Before this moment. */
  to: moment('to'),
  /** A user's id or whole user name, in upper or lower case; also one that no user has. */
  actor: filter('actor', 256),
  entity: filter('entity', 100),
  entityId: filter('entityId', 300),
  action: filter('action', 100),
  outcome: z.enum(OUTCOMES, { error: `outcome must be one of: ${OUTCOMES.join(', ')}` }).optional(),
  address: filter('address', 100),
  /** Words of names, ids and changes: each must be there. Those of three characters and more match by their beginning. */
  text: filter('text', 256).transform((value) => (value && HAS_WORD.test(value) ? value : undefined)),
};

const BEFORE_INVALID = 'before must be the id of an entry';
const entryId = z
  .string()
  .check(atMost(18, BEFORE_INVALID))
  .regex(/^\d{1,18}$/, BEFORE_INVALID)
  .optional();

/** The newest verification of the whole trail. */
export const verification = z.object({
  /** One was asked for and has not ended. */
  isUnderWay: z.boolean(),
  /** How many entries the one under way has read so far. */
  checked: count,
  /** How many entries there are. */
  entries: count,
  /** When the newest one ended; null: there was none. */
  endedOnUtc: utcMoment.nullable(),
  /** How many entries that one read. */
  verified: count,
  /** The first thing that it found wrong; empty: nothing. */
  problem: z.string(),
});
export type Verification = z.infer<typeof verification>;

export const auditRoutes = {
  list: route({
    feature: 'audit',
    summary: `The newest ${RECORD_ENTRIES} entries of the audit trail about a record; with an empty entityId those about no record, which for 'users' are sign-ins under unknown names`,
    base: 'api',
    method: 'GET',
    path: '/audit/get',
    permission: 'audit.read',
    query: z.object({
      entity: requiredText(100, 'entity is required', 'entity should not be more than 100 characters'),
      entityId: z.string({ error: 'entityId is required' }).max(300, 'entityId should not be more than 300 characters'),
    }),
    result: z.array(auditEntry),
    list: true,
  }),
  search: route({
    feature: 'audit',
    summary: `The entries of the audit trail that a filter leaves, newest first, ${SEARCH_PAGE} at most; 'further' says from where on to ask for more. A search that takes long answers what it has found so far`,
    base: 'api',
    method: 'GET',
    path: '/audit/search',
    permission: 'audit.read',
    query: z.object({ ...filters, before: entryId }),
    result: auditPage,
    list: true,
  }),
  export: route({
    feature: 'audit',
    summary:
      'A file of what a filter leaves: CSV or JSON, newest first; or the whole trail as JSON lines, which can be verified elsewhere',
    base: 'api',
    method: 'GET',
    path: '/audit/export',
    permission: 'audit.read',
    download: true,
    fileTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
    query: z.object({
      ...filters,
      format: z.enum(['csv', 'json', 'trail'], { error: 'format must be one of: csv, json, trail' }),
    }),
    result: z.unknown(),
  }),
  verification: route({
    feature: 'audit',
    summary: 'The newest verification of the audit trail, and how far one is that is under way',
    base: 'api',
    method: 'GET',
    path: '/audit/verification',
    permission: 'audit.read',
    result: verification,
  }),
  verify: route({
    feature: 'audit',
    summary: 'Verify the audit trail now, in the background',
    base: 'api',
    method: 'POST',
    path: '/audit/verify',
    permission: 'audit.read',
    result: verification,
  }),
};

export type AuditFilters = Partial<Omit<z.output<typeof auditRoutes.search.query>, 'before'>>;
