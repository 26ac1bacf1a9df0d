import type { GrowthWeek } from '@apotheca/contract/findings';
import type { Context } from '../../context.ts';
import { listGrowth, saveGrowth } from './growth.repository.ts';

const DAY_MS = 86_400_000;
/** For how many days it is kept how many there were: more than the 51 weeks that are shown. */
const DAYS_KEPT = 371;

/** Notes how many tenants, users and bytes there are. Called every minute, so that the last of a day is what there was at its end. */
export async function noteGrowth(context: Context): Promise<void> {
  const trusted = await context.trustedNow();
  await saveGrowth(context.platform, {
    today: dayOf(context.now(), 0),
    first: trusted ? dayOf(trusted, DAYS_KEPT) : null,
  });
}

/** Tenants, users and bytes at the end of each week of the last year; the last one is now (decision 063). */
export const getGrowth = (context: Context): Promise<GrowthWeek[]> => listGrowth(context.pool, dayOf(context.now(), 0));

const dayOf = (moment: Date, daysAgo: number): string =>
  new Date(moment.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
