import { useState } from 'react';

/** The permissions that are chosen for a role, by their ids. */
export function useChosen(present: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(present));

  function choose(ids: readonly string[], on: boolean) {
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  }
  const isDirty = chosen.size !== present.length || present.some((id) => !chosen.has(id));
  return { isChosen: (id: string) => chosen.has(id), choose, ids: [...chosen], isDirty };
}

export type Chosen = ReturnType<typeof useChosen>;
