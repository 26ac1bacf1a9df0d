import { z } from 'zod';

/** What the programs of a tenant may do in its database. */
export const DATABASE_ACCESS = ['open', 'read-only', 'closed'] as const;
export type DatabaseAccess = (typeof DATABASE_ACCESS)[number];

/** Whether deactivating a tenant, or the end of its subscription, closes its database to its programs, and after how many days. */
export const suspensionRules = z.object({
  /** With `flag` nothing is closed: a tenant is only marked. */
  mode: z.enum(['enforce', 'flag']),
  /** Days after the end of a subscription in which nothing changes. */
  graceDays: z.int(),
  /** Days after those in which programs can only read. */
  readOnlyDays: z.int(),
});
export type SuspensionRules = z.infer<typeof suspensionRules>;

/** How a tenant stands, from the best to the worst. */
export const TENANT_STATES = ['active', 'expiring', 'grace', 'read-only', 'expired', 'deactivated'] as const;
export type TenantState = (typeof TENANT_STATES)[number];

/** From how many days before the end of a subscription on a tenant is expiring. */
export const EXPIRING_DAYS = 30;
/** The same for a term that is no longer than those: a tenant that was made today is not expiring. */
export const SHORT_EXPIRING_DAYS = 7;

/** The steps towards the end of a subscription that are announced. */
export const EXPIRY_STEPS = ['30-days', '7-days', '1-day', 'grace', 'read-only', 'expired'] as const;
export type ExpiryStep = (typeof EXPIRY_STEPS)[number];

/** For how many days one call puts off the end of a subscription. */
export const POSTPONED_DAYS = 7;

/** What decides how a tenant stands. Days are YYYY-MM-DD in UTC; an empty one is none. */
interface Subscription {
  isActive: boolean;
  subscriptionStartDate: string;
  subscriptionEndDate: string;
  /** Until when the end was put off; null: it was not. */
  postponedTo: string | null;
}

interface Standing {
  state: TenantState;
  access: DatabaseAccess;
  /** The day on which the next step comes; null: none comes by itself. */
  nextOn: string | null;
}

/** How a tenant stands on a day, and what its programs may do (decision 053). */
export function standingOf(tenant: Subscription, today: string, rules: SuspensionRules): Standing {
  const isEnforced = rules.mode === 'enforce';
  if (!tenant.isActive) return { state: 'deactivated', access: isEnforced ? 'closed' : 'open', nextOn: null };
  const end = lastDay(tenant);
  if (end === '') return { state: 'active', access: 'open', nextOn: null };
  if (!isEnforced && end < today) return { state: 'expired', access: 'open', nextOn: null };
  const graceEnd = addDays(end, rules.graceDays);
  const readOnlyEnd = addDays(graceEnd, rules.readOnlyDays);
  if (today > readOnlyEnd) return { state: 'expired', access: 'closed', nextOn: null };
  if (today > graceEnd) return { state: 'read-only', access: 'read-only', nextOn: addDays(readOnlyEnd, 1) };
  if (today > end) return { state: 'grace', access: 'open', nextOn: addDays(graceEnd, 1) };
  const isExpiring = [EXPIRING_DAYS, SHORT_EXPIRING_DAYS].some((days) => endsWithin(tenant, today, days));
  return { state: isExpiring ? 'expiring' : 'active', access: 'open', nextOn: addDays(end, 1) };
}

/** The last day of a subscription, as it counts: its end, or the day to which that was put off. */
export const lastDay = ({
  subscriptionEndDate,
  postponedTo,
}: Pick<Subscription, 'subscriptionEndDate' | 'postponedTo'>): string =>
  postponedTo !== null && postponedTo > subscriptionEndDate ? postponedTo : subscriptionEndDate;

/** The newest step that an active tenant has come to; undefined: none yet. With it the last day of its subscription, as it counts. */
export function expiryStepOf(
  tenant: Subscription,
  today: string,
  rules: SuspensionRules,
): { step: ExpiryStep; endsOn: string } | undefined {
  const endsOn = lastDay(tenant);
  if (!tenant.isActive || endsOn === '') return undefined;
  const { state } = standingOf(tenant, today, rules);
  if (state === 'grace' || state === 'read-only' || state === 'expired') return { step: state, endsOn };
  const ahead = [
    ['1-day', 1],
    ['7-days', SHORT_EXPIRING_DAYS],
    ['30-days', EXPIRING_DAYS],
  ] as const;
  const found = ahead.find(([, days]) => endsWithin(tenant, today, days));
  return found && { step: found[0], endsOn };
}

/** The day to which a subscription's end is put off: some days after it, or after today where it is over. */
export function postponedEnd(tenant: Subscription, today: string): string {
  const end = lastDay(tenant);
  return addDays(end < today ? today : end, POSTPONED_DAYS);
}

/** Whether the end comes within some days, and that is news: a term that was no longer in the first place has just begun. */
const endsWithin = (tenant: Subscription, today: string, days: number): boolean => {
  const { subscriptionStartDate: start } = tenant;
  const end = lastDay(tenant);
  return addDays(today, days) >= end && (start === '' || addDays(start, days) < end);
};

/** The last day that is written with a year of four digits: longer ones would come before it as texts. */
const LAST_DAY = '9999-12-31';

/** A calendar day some days later, or the last one that there is. */
function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.getUTCFullYear() > 9999 ? LAST_DAY : moment.toISOString().slice(0, 10);
}
