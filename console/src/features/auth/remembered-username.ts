import { readItem, removeItem, writeItem } from '../../lib/local-storage.ts';

/** Outlives the session: signing out keeps it (SPEC §4). */
const KEY = 'rememberedUsername';

/** The username that somebody wanted remembered in this browser; empty for none. */
export const readRememberedUsername = (): string => readItem(KEY) ?? '';

/** @param remember what the box says; not ticked forgets what was remembered before */
export const rememberUsername = (username: string, remember: boolean): void => {
  if (remember) writeItem(KEY, username);
  else removeItem(KEY);
};
