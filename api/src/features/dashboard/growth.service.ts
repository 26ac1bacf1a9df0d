import type { GrowthWeek } from '@apotheca/contract/findings';
import type { Context } from '../../context.ts';
import { utcDay } from '../../wording.ts';
import { listGrowth, saveGrowth } from './growth.repository.ts';

/** For how many days it is kept how many there were: more than the 51 weeks that are shown. */
const DAYS_KEPT = 371;

/** Notes how many tenants, users and bytes there are. Called every minute, so that the last of a day is what there was at its end. */
export async function noteGrowth(context: Context): Promise<void> {
  const trusted = await context.trustedNow();
  await saveGrowth(context.platform, {
    today: utcDay(context.now()),
    first: trusted ? utcDay(trusted, -DAYS_KEPT) : null,
  });
}

/** Tenants, users and bytes at the end of each week of the last year; the last one is now (decision 063). */
export const getGrowth = (context: Context): Promise<GrowthWeek[]> => listGrowth(context.pool, utcDay(context.now()));
