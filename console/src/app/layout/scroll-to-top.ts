import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Another page starts at its top; going back is left to the browser, which knows where one was. */
export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname is the reason to scroll
  useLayoutEffect(() => {
    if (type !== 'POP') document.documentElement.scrollTop = 0;
  }, [pathname, type]);
}
