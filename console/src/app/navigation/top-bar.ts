import { useEffect, useEffectEvent } from 'react';

/** What the top bar opens, and others can open too. */
export type TopBarPart = 'activity' | 'sessions';

const requests = new EventTarget();

/** Opens a part of the top bar, as its own button does. */
export const openInTopBar = (part: TopBarPart): unknown => requests.dispatchEvent(new Event(part));

/** Calls back when somebody else opens a part of the top bar. */
export function useTopBarRequest(part: TopBarPart, onOpen: () => void): void {
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const handle = () => open();
    requests.addEventListener(part, handle);
    return () => requests.removeEventListener(part, handle);
  }, [part]);
}
