import { useMemo } from 'react';
import { useKeptState } from '../../components/form/drafts.ts';

/** The permissions that are chosen for a role, by their ids. They survive the end of the session. */
export function useChosen(present: readonly string[]) {
  const [ids, setIds] = useKeptState('permissions', present);
  const chosen = useMemo(() => new Set(ids), [ids]);

  function choose(some: readonly string[], on: boolean) {
    setIds((before) => {
      const removed = new Set(some);
      const after = [...before.filter((id) => !removed.has(id)), ...(on ? some : [])];
      return isSame(after, present) ? present : after;
    });
  }
  return { isChosen: (id: string) => chosen.has(id), choose, ids: [...ids], isDirty: !isSame(ids, present) };
}

export type Chosen = ReturnType<typeof useChosen>;

/** Whether two lists have the same ids, each of them once. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  return some.length === others.length && some.every((id) => known.has(id));
}
