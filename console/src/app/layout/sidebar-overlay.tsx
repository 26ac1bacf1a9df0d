import { selectLayout, toggleSidebarMenu } from '../state/layout-slice.ts';
import { sidebarView } from '../state/screen-size.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

/** Dims the page behind the open drawer; a click on it collapses the sidebar (SPEC §2.2). */
export function SidebarOverlay() {
  const dispatch = useAppDispatch();
  const { screenSize, menuSidebarCollapsed } = useAppSelector(selectLayout);
  if (sidebarView(screenSize, menuSidebarCollapsed) !== 'drawer-open') return null;
  // biome-ignore lint/a11y/noStaticElementInteractions: keyboards close the drawer with Escape or its own button, the overlay takes no focus
  return <div id="sidebar-overlay" role="presentation" onClick={() => dispatch(toggleSidebarMenu())} />;
}
