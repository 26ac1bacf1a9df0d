import { useEffect, useEffectEvent } from 'react';
import { isRecord } from '../../lib/is-record.ts';

const isGuard = (state: unknown) => isRecord(state) && state.unsaved === true;

/** A second history entry for the same address: Back leaves this entry first, and the page stays. */
const pushGuard = () => history.pushState({ ...history.state, unsaved: true }, '');

/** While there is unsaved text: a reload asks in the browser's words, and Back calls `onBack` instead of going back. */
export function useUnsavedGuard(unsaved: boolean, onBack: () => void) {
  const handleBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!unsaved) return;
    const { href } = window.location;
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    function handlePop() {
      // Another address: the router handles it. An entry of an earlier dialog counts as its own address.
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
      // Removes the guard's entry, but not when the page was left by a link or the end of the session: another entry is
      // on top then, as soon as all effects have run.
      queueMicrotask(() => isGuard(history.state) && history.back());
    };
  }, [unsaved]);
}
