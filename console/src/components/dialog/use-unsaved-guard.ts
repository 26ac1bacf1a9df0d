import { useEffect, useEffectEvent } from 'react';
import { isRecord } from '../../lib/is-record.ts';

const isGuard = (state: unknown) => isRecord(state) && state.unsaved === true;

/** A second entry for the same address: Back leaves it first, and the page is still there. */
const pushGuard = () => history.pushState({ ...history.state, unsaved: true }, '');

/** While there is typed text: reloading asks in the browser's words, and Back calls `onBack` in place of going back. */
export function useUnsavedGuard(unsaved: boolean, onBack: () => void) {
  const handleBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!unsaved) return;
    const { href } = window.location;
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    function handlePop() {
      // Somewhere else altogether: the router goes there. On a guard: one that an earlier dialog left.
      if (window.location.href !== href || isGuard(history.state)) return;
      pushGuard();
      handleBack();
    }
    pushGuard();
    window.addEventListener('beforeunload', askBeforeUnload);
    window.addEventListener('popstate', handlePop);
    return () => {
      window.removeEventListener('beforeunload', askBeforeUnload);
      window.removeEventListener('popstate', handlePop);
      // Not when the page was left, by a link or by the end of the session: the entry on top is another one then, as soon
      // as the effects of this moment are through.
      queueMicrotask(() => isGuard(history.state) && history.back());
    };
  }, [unsaved]);
}
