import { z } from 'zod';
import { changedRecord, count, tooLong } from './fields.ts';
import { route } from './route.ts';
import { calendarDay, requiredText, utcMoment } from './text.ts';

/** What a finding is about: the list of the console that has its records, or none. */
export const FINDING_SUBJECTS = [
  'tenants',
  'databases',
  'operations',
  'webhooks',
  'sign-ins',
  'server',
  'databaseservers',
] as const;
export type FindingSubject = (typeof FINDING_SUBJECTS)[number];

/** The kinds of what a person should know or do, the most urgent first, with what they are about. */
export const FINDING_KINDS = {
  'server-away': { subject: 'databaseservers', tone: 'danger' },
  'disk-full': { subject: 'server', tone: 'danger' },
  'archive-broken': { subject: 'server', tone: 'danger' },
  'unrestorable-backup': { subject: 'databases', tone: 'danger' },
  'copy-failed': { subject: 'databases', tone: 'danger' },
  'no-backup': { subject: 'databases', tone: 'danger' },
  'late-backup': { subject: 'databases', tone: 'danger' },
  'failed-operation': { subject: 'operations', tone: 'danger' },
  expired: { subject: 'tenants', tone: 'danger' },
  'ends-in-week': { subject: 'tenants', tone: 'warning' },
  'old-schema': { subject: 'databases', tone: 'warning' },
  'inactive-webhook': { subject: 'webhooks', tone: 'warning' },
  'blocked-sign-in': { subject: 'sign-ins', tone: 'warning' },
  'ends-in-month': { subject: 'tenants', tone: 'info' },
  'ends-in-quarter': { subject: 'tenants', tone: 'info' },
  'unproved-backup': { subject: 'databases', tone: 'info' },
  'no-owner': { subject: 'databases', tone: 'info' },
  'running-operation': { subject: 'operations', tone: 'info' },
} as const satisfies Record<string, { subject: FindingSubject; tone: 'danger' | 'warning' | 'info' }>;
export type FindingKind = keyof typeof FINDING_KINDS;

/** Whether this version knows a kind: a newer server may tell a console that was loaded before of others. */
export const isKnownFinding = (kind: string): kind is FindingKind => Object.hasOwn(FINDING_KINDS, kind);

const kinds = Object.keys(FINDING_KINDS) as [FindingKind, ...FindingKind[]];

export const SNOOZE_LIMITS = { reason: 200, days: 366, records: 10_000 } as const;

/** For how many days a failed operation is told of. */
export const FAILED_OPERATION_DAYS = 7;
/** How many records of a kind the dashboard names. */
export const FINDINGS_SHOWN = 5;

const kind = z.enum(kinds, { error: 'This kind of finding is unknown' });
const recordId = requiredText(200, 'Id is required', tooLong('Id', 200));

/** A record that something is to be said of. */
const foundRecord = z.object({
  id: z.string(),
  /** A database's name, a tenant's code, an address … */
  name: z.string(),
  /** The code of the tenant that it belongs to; null: of none. */
  tenantCode: z.string().nullable(),
  /** What is known beyond the kind, in words: the reason of a failure, the tables of a proof; empty: nothing. */
  detail: z.string(),
  /** Since when, or on which day it comes. */
  at: utcMoment.nullable(),
});

export const snooze = z.object({
  /** The last day, YYYY-MM-DD in UTC. */
  until: z.string(),
  reason: z.string(),
  /** Name of the user. */
  by: z.string().nullable(),
});

/** One kind with its records. */
export const finding = z.object({
  kind,
  /** Records that are not snoozed. */
  count,
  snoozed: count,
  /** The first of those that are not snoozed. */
  first: z.array(foundRecord),
});
export type Finding = z.infer<typeof finding>;

export const findingRecord = foundRecord.extend({ snooze: snooze.nullable() });
export type FindingRecord = z.infer<typeof findingRecord>;

/** The form of a snooze. */
export const snoozeForm = z.object({
  until: calendarDay('The day until which it is snoozed is required'),
  reason: requiredText(SNOOZE_LIMITS.reason, 'Reason is required', tooLong('Reason', SNOOZE_LIMITS.reason)),
});

/** What there was at the end of a day. */
export const growthWeek = z.object({ day: z.string(), tenants: count, users: count, sizeBytes: z.number() });
export type GrowthWeek = z.infer<typeof growthWeek>;

export const findingRoutes = {
  list: route({
    feature: 'dashboard',
    summary: 'What failed, what runs and what needs a person, by kind: how many records, and the first of them',
    base: 'api',
    method: 'GET',
    path: '/findings/get',
    permission: 'dashboard.read',
    result: z.array(finding),
  }),
  records: route({
    feature: 'dashboard',
    summary: 'All records of one kind of finding, those that are snoozed last',
    base: 'api',
    method: 'GET',
    path: '/findings/getrecords',
    permission: 'dashboard.read',
    query: z.object({ kind }),
    result: z.array(findingRecord),
  }),
  snooze: route({
    feature: 'dashboard',
    summary: 'Leave records of a kind of finding out of the dashboard until a day',
    base: 'api',
    method: 'PUT',
    path: '/findings/snooze',
    permission: 'dashboard.write',
    body: snoozeForm.extend({
      kind,
      ids: z.array(recordId).min(1, 'At least one record is required').max(SNOOZE_LIMITS.records),
    }),
    result: z.object({ snoozed: count }),
  }),
  wake: route({
    feature: 'dashboard',
    summary: 'End the snooze of one record',
    base: 'api',
    method: 'DELETE',
    path: '/findings/wake',
    permission: 'dashboard.write',
    query: z.object({ kind, id: recordId }),
    result: changedRecord,
  }),
  growth: route({
    feature: 'dashboard',
    summary: 'Tenants, users and bytes at the end of each week of the last year, and now',
    base: 'api',
    method: 'GET',
    path: '/findings/getgrowth',
    permission: 'dashboard.read',
    result: z.array(growthWeek),
  }),
};
