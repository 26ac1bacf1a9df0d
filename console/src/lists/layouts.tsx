import { LISTS, type List, type ListLayout, type Preferences, preferences } from '@apotheca/contract/preferences';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import {
  keepLists,
  type PreferencesDispatch,
  useGetPreferencesQuery,
  usePutListLayoutMutation,
} from '../api/preferences.ts';
import { LayoutContext, type LayoutKeeper } from '../components/data-table/list-layout.ts';
import { readItem, removeItem, writeItem } from '../lib/local-storage.ts';
import { selectSession } from '../session/session-slice.ts';

type Layouts = Preferences['lists'];
const listsOnly = preferences.pick({ lists: true });

/** Where the browser keeps a copy, of one person at a time. */
const KEY = 'preferences';
/** Where it kept the hidden columns of the tenants before. */
const OLD_KEY = 'tenants.hiddenColumns';
const PAUSE_MS = 500;

const isList = (name: string): name is List => LISTS.some((list) => list === name);

/** A text of local storage as JSON; undefined where it is none. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The copy of a person's layouts; empty where the browser has none, or that of somebody else. */
function readCopy(userId: string): Layouts {
  const copy = listsOnly.safeParse(parsed(readItem(`${KEY}.${userId}`)));
  return copy.success ? copy.data.lists : {};
}

const writeCopy = (userId: string, lists: Layouts) => writeItem(`${KEY}.${userId}`, JSON.stringify({ lists }));

/** What an earlier version has kept in this browser. It is taken over once, unless the list was arranged since. */
function takeOldTenants(): ListLayout | undefined {
  const hidden = parsed(readItem(OLD_KEY));
  removeItem(OLD_KEY);
  const layout = { hidden, order: [], widths: {}, density: 'comfortable' };
  const read = listsOnly.safeParse({ lists: { tenants: layout } });
  return read.success ? read.data.lists.tenants : undefined;
}

/**
 * Keeps how the signed-in person has arranged each list: on the server, with a copy in the browser that is there before
 * the server's answer, and that tells other tabs.
 */
export function KeptLayouts({ children }: { children: ReactNode }) {
  const { id: userId } = useSelector(selectSession);
  const dispatch = useDispatch<PreferencesDispatch>();
  const { data } = useGetPreferencesQuery();
  const [kept, setKept] = useState(() => ({ userId, layouts: readCopy(userId) }));
  // After a sign-in it is known a moment later who it was. What is below stays as it is: no `key`.
  if (kept.userId !== userId) setKept({ userId, layouts: readCopy(userId) });
  const { layouts } = kept;
  const setLayouts = useCallback((next: Layouts) => setKept({ userId, layouts: next }), [userId]);
  const { send, unsent } = useSending(userId);
  const keep = useRef<LayoutKeeper['keep']>(null);
  keep.current = (list, layout) => {
    if (!isList(list)) return;
    const next = { ...layouts, [list]: layout };
    writeCopy(userId, next);
    setLayouts(next);
    send(list, layout);
  };
  useEffect(() => {
    if (!data) return;
    // What was changed meanwhile is newer than the answer.
    const next = { ...data.lists, ...unsent() };
    writeCopy(userId, next);
    setLayouts(next);
    const old = takeOldTenants();
    if (old && !next.tenants) keep.current?.('tenants', old);
  }, [data, unsent, userId, setLayouts]);
  useEffect(() => {
    const handleStorage = ({ key }: StorageEvent) => {
      if (key !== `${KEY}.${userId}`) return;
      const lists = readCopy(userId);
      setLayouts(lists);
      // What is kept of the answer would put them back, in both tabs, with the next preference that is stored.
      dispatch(keepLists(lists));
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }, [userId, setLayouts, dispatch]);
  const keeper = useMemo<LayoutKeeper>(
    () => ({ layouts, keep: (list, layout) => keep.current?.(list, layout) }),
    [layouts],
  );
  return <LayoutContext value={keeper}>{children}</LayoutContext>;
}

/** Sends the newest layout of each list half a second after the last change, or when the page is left; nothing of one person as another. */
function useSending(userId: string) {
  const [put] = usePutListLayoutMutation();
  const [sending] = useState(() => {
    const waiting = new Map<List, ListLayout>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
      unsent: (): Layouts => Object.fromEntries(waiting),
      send(list: List, layout: ListLayout) {
        waiting.set(list, layout);
        clearTimeout(timer);
        timer = setTimeout(sending.flush, PAUSE_MS);
      },
      flush() {
        for (const [list, layout] of waiting) put({ list, layout }).unwrap().catch(showError);
        sending.forget();
      },
      forget() {
        clearTimeout(timer);
        waiting.clear();
      },
    };
  });
  useEffect(() => {
    window.addEventListener('pagehide', sending.flush);
    return () => {
      window.removeEventListener('pagehide', sending.flush);
      sending.flush();
    };
  }, [sending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the person changes.
  useEffect(() => sending.forget, [sending, userId]);
  return sending;
}
