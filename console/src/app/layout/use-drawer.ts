import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { toggleSidebarMenu } from '../state/layout-slice.ts';
import type { SidebarView } from '../state/screen-size.ts';
import { useAppDispatch } from '../state/store.ts';

/** The button of the top bar, which gets the focus back from the drawer. */
export const SIDEBAR_TOGGLE_ID = 'sidebar-toggle';

/**
 * Makes the menu sidebar a drawer on small screens: it takes the focus when it opens, gives it back when it closes, and
 * closes on Escape and when a link is followed.
 */
export function useDrawer(view: SidebarView): { drawer: RefObject<HTMLElement | null>; close: () => void } {
  const drawer = useRef<HTMLElement>(null);
  const dispatch = useAppDispatch();
  // A link to the page that is shown already is another entry of the history too.
  const { key } = useLocation();
  const isOpen = view === 'drawer-open';
  const openedAt = useRef(key);

  function close() {
    if (isOpen) dispatch(toggleSidebarMenu());
  }

  useEffect(() => {
    if (!isOpen) return;
    drawer.current?.querySelector('a')?.focus();
    function handleKey(event: KeyboardEvent) {
      if (event.key === 'Escape') dispatch(toggleSidebarMenu());
    }
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('keydown', handleKey);
      document.getElementById(SIDEBAR_TOGGLE_ID)?.focus();
    };
  }, [isOpen, dispatch]);

  useEffect(() => {
    if (isOpen && openedAt.current !== key) dispatch(toggleSidebarMenu());
    openedAt.current = key;
  }, [isOpen, key, dispatch]);

  return { drawer, close };
}
