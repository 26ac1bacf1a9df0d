import { useEffectEvent, useLayoutEffect } from 'react';
import { useNavigationType } from 'react-router';

/**
 * Scrolls to the top when another page opens. On Back the browser restores the earlier position itself. Called outside of the routes,
 * as inside of those, which are told the address to show, each navigation is a POP.
 * @param pathname of the page that is shown
 */
export function useScrollToTop(pathname: string): void {
  const type = useNavigationType();
  const toTop = useEffectEvent(() => {
    if (type !== 'POP') document.documentElement.scrollTop = 0;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname is the reason to scroll
  useLayoutEffect(() => toTop(), [pathname]);
}
