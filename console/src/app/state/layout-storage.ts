import { defaultLayout, type LayoutState } from './layout-slice.ts';
import { NAVBAR_VARIANTS, SIDEBAR_SKINS, type Variant } from './variants.ts';

/** public/early.js reads the same key before the first paint. */
const KEY = 'layout';

const SWITCHES = [
  'darkMode',
  'followsSystem',
  'headerBorder',
  'headerFixed',
  'footerFixed',
  'layoutBoxed',
  'menuItemFlat',
  'menuChildIndent',
  'layoutFixed',
] as const;

const known = (value: unknown, lists: Record<'light' | 'dark', Variant[]>): string | undefined =>
  [...lists.light, ...lists.dark].find((variant) => variant.value === value)?.value;

function readRecord(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  } catch {
    // Storage is forbidden or holds something else: the defaults apply.
    return {};
  }
}

/** The layout settings of the last visit, and the defaults where one is missing or invalid. */
export function loadLayout(width: number): LayoutState {
  const layout = defaultLayout(width);
  const stored = readRecord();
  for (const key of SWITCHES) {
    const value = stored[key];
    if (typeof value === 'boolean') layout[key] = value;
  }
  layout.navbarVariant = known(stored.navbarVariant, NAVBAR_VARIANTS) ?? layout.navbarVariant;
  layout.sidebarSkin = known(stored.sidebarSkin, SIDEBAR_SKINS) ?? layout.sidebarSkin;
  // An open drawer is no preference: only the icon rail of wide windows is restored.
  layout.menuSidebarCollapsed = layout.screenSize === 'lg' && stored.menuSidebarCollapsed === true;
  return layout;
}

/**
 * Stores what has changed and nothing else, as another tab may have changed other settings. The control sidebar always
 * starts closed.
 */
export function saveLayout(layout: LayoutState, before: LayoutState): void {
  const { screenSize, controlSidebarCollapsed: _, menuSidebarCollapsed, ...settings } = layout;
  // Below lg the flag is no preference.
  const kept = screenSize === 'lg' ? { ...settings, menuSidebarCollapsed } : settings;
  const old: Record<string, unknown> = { ...before };
  const changed = Object.entries(kept).filter(([key, value]) => value !== old[key]);
  if (changed.length === 0) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readRecord(), ...Object.fromEntries(changed) }));
  } catch {
    // Storage is full or forbidden: the settings last until the page is closed.
  }
}
