import { readItem, removeItem, writeItem } from '../../lib/local-storage.ts';

/** The key outlives the session: signing out keeps it (SPEC §4). */
const KEY = 'rememberedUsername';

/** The username that is remembered in this browser; empty for none. */
export const readRememberedUsername = (): string => readItem(KEY) ?? '';

/** @param remember state of the box; not ticked forgets the remembered username */
export const rememberUsername = (username: string, remember: boolean): void => {
  if (remember) writeItem(KEY, username);
  else removeItem(KEY);
};
