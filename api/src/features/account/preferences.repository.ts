import type { Language, List, ListLayout } from '@apotheca/contract/preferences';
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

/** The language that a person has chosen; undefined: none. */
export async function findLanguage(platform: Platform, userId: string): Promise<Language | undefined> {
  const query = platform.selectFrom('chosenLanguages').select('language').where('userId', '=', userId);
  return (await query.executeTakeFirst())?.language;
}

export async function saveLanguage(
  platform: Platform,
  userId: string,
  { language, now }: { language: Language; now: Date },
): Promise<void> {
  const values = { language, updatedAt: now };
  await platform
    .insertInto('chosenLanguages')
    .values({ userId, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute();
}
