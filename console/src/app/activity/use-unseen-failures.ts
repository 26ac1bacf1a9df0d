import type { Operation } from '@apotheca/contract/operations';
import { useEffect, useState } from 'react';
import { readItem, writeItem } from '../../lib/local-storage.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useAppSelector } from '../state/store.ts';

/**
 * How many operations have failed since this person last had the panel open in this browser. Compared are the server's moments, so a
 * wrong clock here does not matter.
 * @param isOpen whether the panel shows them now
 */
export function useUnseenFailures(operations: readonly Operation[] | undefined, isOpen: boolean): number {
  const { id } = useAppSelector(selectSession);
  const key = `activity-seen:${id}`;
  const [seen, setSeen] = useState(() => readItem(key) ?? '');
  const ends = (operations ?? []).flatMap(({ state, finishedOnUtc }) =>
    state === 'failed' ? (finishedOnUtc ?? []) : [],
  );
  const unseen = ends.filter((end) => end > seen);
  const newest = unseen.toSorted().at(-1);
  useEffect(() => {
    if (!isOpen || newest === undefined) return;
    writeItem(key, newest);
    setSeen(newest);
  }, [isOpen, newest, key]);
  return isOpen ? 0 : unseen.length;
}
