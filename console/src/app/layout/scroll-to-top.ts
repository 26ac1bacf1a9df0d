import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Scrolls to the top when another page opens. On Back the browser restores the earlier position itself. */
export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname is the reason to scroll
  useLayoutEffect(() => {
    if (type !== 'POP') document.documentElement.scrollTop = 0;
  }, [pathname, type]);
}
