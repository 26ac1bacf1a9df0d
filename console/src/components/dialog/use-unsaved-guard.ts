import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { isRecord } from '../../lib/is-record.ts';

/** Leaves the page. */
type Leave = () => unknown;

/**
 * Goes on to leave once the user agrees: others may still ask, and stay.
 * @param discard takes away what is not saved, just before the page is left
 */
export type Agree = (discard?: () => void) => unknown;

interface GuardHandlers {
  /** In place of going back. */
  onBack: () => void;
  /** In place of leaving the page by a toast or the palette: leaves once the user agrees. */
  onLeave: (agree: Agree) => void;
}

interface Guard extends GuardHandlers {
  /** The address of the page that is guarded. */
  href: string;
}

/** What is guarded now, the dialog that was opened last at the end. */
const guards: Guard[] = [];

/** Whether the guards' entry is being left: a browser goes back some time after it was asked to. */
let isLeaving = false;

const isOnEntry = () => isRecord(history.state) && history.state.unsaved === true;

/**
 * While there are guards, a second history entry for the same address lies above that of the page: Back leaves this
 * entry first, and the page stays. Where the page was left by a link or the end of the session, another entry is on top.
 */
function arrangeEntry() {
  // An entry that was pushed now would be the one that is left, as if by Back.
  if (isLeaving || isOnEntry() === guards.length > 0) return;
  if (guards.length > 0) return history.pushState({ ...history.state, unsaved: true }, '');
  isLeaving = true;
  history.back();
}

function handlePop() {
  if (isLeaving) {
    isLeaving = false;
    return arrangeEntry();
  }
  const guard = guards.at(-1);
  // Another address: the router handles it.
  if (guard?.href !== window.location.href || isOnEntry()) return;
  arrangeEntry();
  guard.onBack();
}

const askBeforeUnload = (event: BeforeUnloadEvent) => guards.length > 0 && event.preventDefault();

/** While there is unsaved text: a reload asks in the browser's words, and the handlers are called instead of going elsewhere. */
export function useUnsavedGuard(unsaved: boolean, { onBack, onLeave }: GuardHandlers) {
  const handleBack = useEffectEvent(onBack);
  const handleLeave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!unsaved) return;
    const guard = {
      href: window.location.href,
      onBack: () => handleBack(),
      onLeave: (agree: Agree) => handleLeave(agree),
    };
    guards.push(guard);
    arrangeEntry();
    // Each is added only once.
    window.addEventListener('popstate', handlePop);
    window.addEventListener('beforeunload', askBeforeUnload);
    return () => {
      guards.splice(guards.indexOf(guard), 1);
      // Once all effects have run: by then the page that was left by a link has its own entry.
      queueMicrotask(arrangeEntry);
    };
  }, [unsaved]);
}

/**
 * Leaves the page by something else than a link, once nothing is lost by it or the user agrees.
 * @param asking who is still to ask, one after another from the end
 */
export function leaveBy(leave: Leave, asking: readonly Guard[] = [...guards]): void {
  const guard = asking.at(-1);
  if (!guard) return void leave();
  guard.onLeave((discard) =>
    leaveBy(
      () => {
        discard?.();
        leave();
      },
      asking.slice(0, -1),
    ),
  );
}

/** Whether there is unsaved text, or the entry that it had is still to be left. */
export const useHasUnsaved = (): boolean => useSyncExternalStore(followPops, () => guards.length > 0 || isOnEntry());

function followPops(tell: () => void) {
  window.addEventListener('popstate', tell);
  return () => window.removeEventListener('popstate', tell);
}
