import type { List, ListLayout } from '@apotheca/contract/preferences';
import type { Platform } from '../../db/platform.ts';

/** The lists that a person has arranged. */
export function findListLayouts(platform: Platform, userId: string): Promise<{ list: List; layout: ListLayout }[]> {
  return platform.selectFrom('listLayouts').select(['list', 'layout']).where('userId', '=', userId).execute();
}

export async function saveListLayout(
  platform: Platform,
  userId: string,
  { list, layout, now }: { list: List; layout: ListLayout; now: Date },
): Promise<void> {
  const values = { layout: JSON.stringify(layout), updatedAt: now };
  await platform
    .insertInto('listLayouts')
    .values({ userId, list, ...values })
    .onConflict((conflict) => conflict.columns(['userId', 'list']).doUpdateSet(values))
    .execute();
}
