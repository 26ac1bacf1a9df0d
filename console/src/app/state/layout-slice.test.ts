import { describe, expect, it } from 'vitest';
import {
  defaultLayout,
  type LayoutState,
  layoutReducer,
  setNavbarVariant,
  setSidebarSkin,
  setSystemMode,
  setWindowSize,
  toggleControlSidebar,
  toggleDarkMode,
  toggleFollowsSystem,
  toggleFooterFixed,
  toggleHeaderBorder,
  toggleHeaderFixed,
  toggleLayoutBoxed,
  toggleLayoutFixed,
  toggleMenuChildIndent,
  toggleMenuItemFlat,
  toggleSidebarMenu,
} from './layout-slice.ts';

const start = defaultLayout(1440);

describe('layout slice', () => {
  it('starts with the defaults of the specification [§3]', () => {
    expect(start).toEqual({
      screenSize: 'lg',
      darkMode: false,
      followsSystem: false,
      navbarVariant: 'navbar-light',
      sidebarSkin: 'sidebar-light-primary',
      menuSidebarCollapsed: false,
      controlSidebarCollapsed: true,
      headerBorder: false,
      headerFixed: false,
      footerFixed: true,
      layoutBoxed: false,
      menuItemFlat: false,
      menuChildIndent: false,
      layoutFixed: false,
    });
  });

  it.each([
    ['menuSidebarCollapsed', toggleSidebarMenu],
    ['controlSidebarCollapsed', toggleControlSidebar],
    ['followsSystem', toggleFollowsSystem],
    ['headerBorder', toggleHeaderBorder],
    ['headerFixed', toggleHeaderFixed],
    ['footerFixed', toggleFooterFixed],
    ['layoutBoxed', toggleLayoutBoxed],
    ['layoutFixed', toggleLayoutFixed],
    ['menuItemFlat', toggleMenuItemFlat],
    ['menuChildIndent', toggleMenuChildIndent],
  ] as const)('toggles %s and nothing else [§4]', (setting, toggle) => {
    const once = layoutReducer(start, toggle());
    expect(once).toEqual({ ...start, [setting]: !start[setting] });
    expect(layoutReducer(once, toggle())).toEqual(start);
  });

  it("resets both variants to the mode's first when dark mode changes [§4]", () => {
    const coloured: LayoutState = {
      ...start,
      navbarVariant: 'navbar-orange navbar-light',
      sidebarSkin: 'sidebar-light-lime',
    };
    const dark = layoutReducer(coloured, toggleDarkMode());
    expect(dark).toMatchObject({
      darkMode: true,
      navbarVariant: 'navbar-dark',
      sidebarSkin: 'sidebar-dark-primary',
    });
    expect(layoutReducer(dark, toggleDarkMode())).toEqual(start);
  });

  it("takes over the system's mode only while it follows that, which ends when the mode is chosen by hand [DECISIONS §13]", () => {
    expect(layoutReducer(start, setSystemMode(true))).toEqual(start);
    const following = layoutReducer(start, toggleFollowsSystem());
    const dark = layoutReducer(following, setSystemMode(true));
    expect(dark).toMatchObject({ darkMode: true, navbarVariant: 'navbar-dark', sidebarSkin: 'sidebar-dark-primary' });
    expect(layoutReducer(dark, toggleDarkMode())).toEqual(start);
  });

  it('keeps the variants where the mode of the system is the one there is [DECISIONS §13]', () => {
    const navy = { ...start, followsSystem: true, navbarVariant: 'navbar-warning navbar-light' };
    expect(layoutReducer(navy, setSystemMode(false))).toEqual(navy);
  });

  it('stores a given variant, also one of the other mode [§4]', () => {
    expect(layoutReducer(start, setNavbarVariant('navbar-navy navbar-dark')).navbarVariant).toBe(
      'navbar-navy navbar-dark',
    );
    expect(layoutReducer(start, setSidebarSkin('sidebar-dark-olive')).sidebarSkin).toBe('sidebar-dark-olive');
  });

  it("falls back to the mode's first variant when none is given [§4]", () => {
    const coloured = layoutReducer(start, setNavbarVariant('navbar-warning navbar-light'));
    expect(layoutReducer(coloured, setNavbarVariant('')).navbarVariant).toBe('navbar-light');
    const dark = { ...start, darkMode: true };
    expect(layoutReducer(dark, setNavbarVariant('')).navbarVariant).toBe('navbar-dark');
    expect(layoutReducer(dark, setSidebarSkin('')).sidebarSkin).toBe('sidebar-dark-primary');
  });

  it('takes over the size of the window [§4]', () => {
    expect(layoutReducer(start, setWindowSize('xs'))).toEqual({ ...start, screenSize: 'xs' });
  });
});
