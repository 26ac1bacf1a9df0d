import { useEffect, useRef } from 'react';
import { selectLayout, setWindowSize, toggleSidebarMenu } from '../state/layout-slice.ts';
import { isDrawerSize, type ScreenSize, screenSizeOf } from '../state/screen-size.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

/** The flag `menuSidebarCollapsed` has one meaning per value: an icon rail, a full menu, an open drawer. */
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
      // A rail or menu does not become an open drawer, nor the other way round: each meaning gets the flag back that it
      // had last.
      flags.current[before] = menuSidebarCollapsed;
      const wanted = after !== 'drawer' && (flags.current[after] ?? false);
      if (menuSidebarCollapsed !== wanted) dispatch(toggleSidebarMenu());
    }
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [dispatch, screenSize, menuSidebarCollapsed]);
}
