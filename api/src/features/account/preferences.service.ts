import {
  DEFAULT_LANGUAGE,
  type Language,
  type List,
  type ListLayout,
  type Preferences,
  preferences,
} from '@apotheca/contract/preferences';
import type { Caller } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findLanguage, findListLayouts, saveLanguage, saveListLayout } from './preferences.repository.ts';

/** How the signed-in person has arranged the lists, and the language of the console. */
export async function getPreferences({ platform }: Context, { id }: Pick<Caller, 'id'>): Promise<Preferences> {
  const [layouts, language] = await Promise.all([findListLayouts(platform, id), findLanguage(platform, id)]);
  const { lists, language: languages } = preferences.shape;
  // A newer version may have stored what this one does not know.
  const known = layouts.map(({ list, layout }) => lists.safeParse({ [list]: layout }).data);
  return { lists: Object.assign({}, ...known), language: languages.safeParse(language).data ?? DEFAULT_LANGUAGE };
}

/**
 * Stores how the signed-in person has arranged a list. It is not audited: it changes nothing for anybody else, and a
 * dragged edge would bury what the trail is for (decision 059).
 */
export async function putListLayout(
  context: Context,
  caller: Pick<Caller, 'id'>,
  { list, layout }: { list: List; layout: ListLayout },
): Promise<Preferences> {
  await saveListLayout(context.platform, caller.id, { list, layout, now: context.now() });
  return getPreferences(context, caller);
}

/** Stores the language of the console. It is not audited: it changes nothing for anybody else. */
export async function putLanguage(
  context: Context,
  caller: Pick<Caller, 'id'>,
  { language }: { language: Language },
): Promise<Preferences> {
  await saveLanguage(context.platform, caller.id, { language, now: context.now() });
  return getPreferences(context, caller);
}
