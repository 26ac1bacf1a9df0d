import { useMemo } from 'react';
import { useKeptState } from '../../components/form/drafts.ts';

/** What is wanted otherwise than the role has it, by the permission's id. */
type Wishes = Readonly<Record<string, boolean>>;
const NONE: Wishes = {};

/**
 * The permissions that are chosen for a role, by their ids. They survive the end of the session.
 * @param present what the role has now: what somebody else gives or takes meanwhile stays so unless it was chosen otherwise here
 */
export function useChosen(present: readonly string[]) {
  const [wishes, setWishes] = useKeptState('wishes', NONE);
  const had = useMemo(() => new Set(present), [present]);
  const ids = useMemo(() => {
    const added = Object.keys(wishes).filter((id) => wishes[id] && !had.has(id));
    return [...present.filter((id) => wishes[id] ?? true), ...added];
  }, [present, had, wishes]);
  const chosen = useMemo(() => new Set(ids), [ids]);

  function choose(some: readonly string[], on: boolean) {
    setWishes((before) => {
      const wanted = Object.fromEntries(some.map((id) => [id, on]));
      const after = Object.entries({ ...before, ...wanted }).filter(([id, wish]) => wish !== had.has(id));
      return after.length === 0 ? NONE : Object.fromEntries(after);
    });
  }
  const isDirty = Object.entries(wishes).some(([id, wish]) => wish !== had.has(id));
  return { isChosen: (id: string) => chosen.has(id), choose, ids, isDirty };
}

export type Chosen = ReturnType<typeof useChosen>;
