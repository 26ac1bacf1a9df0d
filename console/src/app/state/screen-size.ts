/** Window widths in px at which a size class begins (SPEC §9). */
const BREAKPOINTS = { lg: 1200, md: 992, sm: 768 } as const;

export type ScreenSize = 'lg' | 'md' | 'sm' | 'xs';

/** Size class of a window width in px. */
export function screenSizeOf(width: number): ScreenSize {
  if (width >= BREAKPOINTS.lg) return 'lg';
  if (width >= BREAKPOINTS.md) return 'md';
  return width >= BREAKPOINTS.sm ? 'sm' : 'xs';
}

/** Whether the menu sidebar is a drawer over the page at this size. */
export const isDrawerSize = (size: ScreenSize): boolean => size === 'sm' || size === 'xs';

export const SIDEBAR_CLASSES = ['sidebar-closed', 'sidebar-collapse', 'sidebar-open'] as const;
type SidebarClass = (typeof SIDEBAR_CLASSES)[number];

const TUCKED_AWAY: SidebarClass[] = ['sidebar-closed', 'sidebar-collapse'];

/**
 * Root classes of the menu sidebar. Below lg the flag means the opposite: "collapsed" shows the sidebar, at sm and xs
 * as a drawer.
 */
export function sidebarClasses(size: ScreenSize, collapsed: boolean): SidebarClass[] {
  if (size === 'lg') return collapsed ? ['sidebar-collapse'] : [];
  if (!collapsed) return TUCKED_AWAY;
  return isDrawerSize(size) ? ['sidebar-open'] : [];
}

/** How much of the menu sidebar is visible. */
export type SidebarView = 'full' | 'rail' | 'drawer-open' | 'drawer-closed';

/** How much of the menu sidebar is visible at this size, by the same rules as {@link sidebarClasses}. */
export function sidebarView(size: ScreenSize, collapsed: boolean): SidebarView {
  if (isDrawerSize(size)) return collapsed ? 'drawer-open' : 'drawer-closed';
  return collapsed === (size === 'lg') ? 'rail' : 'full';
}
