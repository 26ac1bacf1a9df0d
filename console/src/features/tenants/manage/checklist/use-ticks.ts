import { useState } from 'react';

/**
 * The ticked names of a checklist.
 * @param names all names of the checklist, in order
 * @param initial the names that are ticked at first
 */
export function useTicks<Name extends string>(names: readonly Name[], initial: readonly Name[] = []) {
  const [ticked, setTicked] = useState<ReadonlySet<Name>>(new Set(initial));

  function tick(which: readonly Name[], on: boolean) {
    setTicked((before) => new Set(on ? [...before, ...which] : [...before].filter((name) => !which.includes(name))));
  }
  return { isTicked: (name: Name) => ticked.has(name), tick, names: names.filter((name) => ticked.has(name)) };
}

export type Ticks<Name extends string> = ReturnType<typeof useTicks<Name>>;
