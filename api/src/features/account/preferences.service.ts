import type { List, ListLayout, Preferences } from '@apotheca/contract/preferences';
import type { Caller } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findListLayouts, saveListLayout } from './preferences.repository.ts';

/** How the signed-in person has arranged the lists. */
export async function getPreferences({ platform }: Context, { id }: Pick<Caller, 'id'>): Promise<Preferences> {
  const layouts = await findListLayouts(platform, id);
  return { lists: Object.fromEntries(layouts.map(({ list, layout }) => [list, layout])) };
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
