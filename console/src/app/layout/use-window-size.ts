import { useEffect, useRef } from 'react';
import { selectLayout, setWindowSize, toggleSidebarMenu } from '../state/layout-slice.ts';
import { isDrawerSize, type ScreenSize, screenSizeOf } from '../state/screen-size.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

/** The flag `menuSidebarCollapsed` means something else in each: a rail, a full menu, an open drawer. */
const meaningOf = (size: ScreenSize): ScreenSize | 'drawer' => (isDrawerSize(size) ? 'drawer' : size);

/** Keeps `screenSize` in step with the window while the layout is shown (SPEC §4). */
export function useWindowSize(): void {
  const dispatch = useAppDispatch();
  const { screenSize, menuSidebarCollapsed } = useAppSelector(selectLayout);
  const flags = useRef<Partial<Record<ScreenSize | 'drawer', boolean>>>({});

  useEffect(() => {
    function measure() {
      const size = screenSizeOf(window.innerWidth);
      if (size === screenSize) return;
      dispatch(setWindowSize(size));
      const [before, after] = [meaningOf(screenSize), meaningOf(size)];
      if (before === after) return;
      // Neither may a rail or a menu become an open drawer, nor that a rail: each has the flag it had last.
      flags.current[before] = menuSidebarCollapsed;
      const wanted = after !== 'drawer' && (flags.current[after] ?? false);
      if (menuSidebarCollapsed !== wanted) dispatch(toggleSidebarMenu());
    }
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [dispatch, screenSize, menuSidebarCollapsed]);
}
