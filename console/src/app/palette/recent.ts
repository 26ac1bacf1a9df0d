import { useState } from 'react';
import { readItem, writeItem } from '../../lib/local-storage.ts';

/** As many entries are kept. */
const MOST = 8;

/** Kept for each user: it holds ids only, no names. */
const keyOf = (user: string) => `apotheca-palette-${user}`;

/** What a user has chosen in the palette of this browser last. @returns the ids, the newest first, and the way to note some */
export function useRecent(user: string): [readonly string[], (...ids: string[]) => void] {
  const [recent] = useState(() => read(user));
  // Read anew: another tab may have chosen something meanwhile.
  const note = (...ids: string[]) =>
    writeItem(keyOf(user), JSON.stringify([...new Set([...ids, ...read(user)])].slice(0, MOST)));
  return [recent, note];
}

function read(user: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readItem(keyOf(user)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}
