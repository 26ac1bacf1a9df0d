import { useState } from 'react';

/**
 * What is ticked of a checklist.
 * @param names everything on it, in its order
 * @param initial what is ticked to begin with
 */
export function useTicks<Name extends string>(names: readonly Name[], initial: readonly Name[] = []) {
  const [ticked, setTicked] = useState<ReadonlySet<Name>>(new Set(initial));

  function tick(which: readonly Name[], on: boolean) {
    setTicked((before) => new Set(on ? [...before, ...which] : [...before].filter((name) => !which.includes(name))));
  }
  return { isTicked: (name: Name) => ticked.has(name), tick, names: names.filter((name) => ticked.has(name)) };
}

export type Ticks<Name extends string> = ReturnType<typeof useTicks<Name>>;
