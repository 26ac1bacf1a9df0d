import { useEffect, useRef } from 'react';
import { useAppDispatch, useAppSelector } from '../store.ts';
import { selectLayout, setWindowSize, toggleSidebarMenu } from './layout-slice.ts';
import { screenSizeOf } from './screen-size.ts';

/** Keeps `screenSize` in step with the window while the layout is shown (SPEC §4). */
export function useWindowSize(): void {
  const dispatch = useAppDispatch();
  const { screenSize, menuSidebarCollapsed } = useAppSelector(selectLayout);
  const wasRail = useRef(false);

  useEffect(() => {
    function measure() {
      const size = screenSizeOf(window.innerWidth);
      if (size === screenSize) return;
      dispatch(setWindowSize(size));
      // Past lg the flag changes its meaning: a rail must not become an open drawer, nor a drawer a rail.
      if (screenSize === 'lg') wasRail.current = menuSidebarCollapsed;
      const wanted = size === 'lg' && wasRail.current;
      if ((size === 'lg') !== (screenSize === 'lg') && menuSidebarCollapsed !== wanted) dispatch(toggleSidebarMenu());
    }
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [dispatch, screenSize, menuSidebarCollapsed]);
}
