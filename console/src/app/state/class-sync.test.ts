import { beforeEach, describe, expect, it } from 'vitest';
import { layoutStarted } from './class-sync.ts';
import {
  defaultLayout,
  type LayoutState,
  setWindowSize,
  toggleControlSidebar,
  toggleDarkMode,
  toggleFooterFixed,
  toggleHeaderFixed,
  toggleLayoutBoxed,
  toggleLayoutFixed,
  toggleSidebarMenu,
} from './layout-slice.ts';
import { loadLayout } from './layout-storage.ts';
import { makeStore } from './store.ts';

const root = document.createElement('div');
const has = (name: string) => root.classList.contains(name);

/** A store whose page has just started. */
function start(layout: Partial<LayoutState> = {}) {
  const store = makeStore({ layout: { ...defaultLayout(1440), ...layout } });
  store.dispatch(layoutStarted());
  return store;
}

beforeEach(() => {
  root.id = 'root';
  root.className = 'login-page';
  document.documentElement.removeAttribute('data-bs-theme');
  document.body.replaceChildren(root);
});

describe('classes of the page root', () => {
  it('at the start contain the fixed footer but not the fixed layout, and other classes stay [§4]', () => {
    start();
    expect([...root.classList]).toEqual(['login-page', 'layout-footer-fixed']);
    expect(document.documentElement.dataset.bsTheme).toBe('light');
  });

  it.each([
    ['layout-navbar-fixed', toggleHeaderFixed],
    ['layout-boxed', toggleLayoutBoxed],
    ['dark-mode', toggleDarkMode],
    ['control-sidebar-slide-open', toggleControlSidebar],
    ['sidebar-collapse', toggleSidebarMenu],
  ] as const)('%s comes with its setting and goes with it [§4]', (name, toggle) => {
    const store = start();
    expect(has(name)).toBe(false);
    store.dispatch(toggle());
    expect(has(name)).toBe(true);
    store.dispatch(toggle());
    expect(has(name)).toBe(false);
  });

  it('lose the fixed footer when it is switched off [§4]', () => {
    const store = start();
    store.dispatch(toggleFooterFixed());
    expect(has('layout-footer-fixed')).toBe(false);
    store.dispatch(toggleFooterFixed());
    expect(has('layout-footer-fixed')).toBe(true);
  });

  it('lose the fixed layout when it is switched on and gain it when switched off, never at the start [§4]', () => {
    const store = start();
    expect(has('layout-fixed')).toBe(false);
    store.dispatch(toggleLayoutFixed());
    expect(store.getState().layout.layoutFixed).toBe(true);
    expect(has('layout-fixed')).toBe(false);
    store.dispatch(toggleLayoutFixed());
    expect(store.getState().layout.layoutFixed).toBe(false);
    expect(has('layout-fixed')).toBe(true);
    store.dispatch(toggleHeaderFixed());
    expect(has('layout-fixed')).toBe(true);
    store.dispatch(toggleLayoutFixed());
    expect(has('layout-fixed')).toBe(false);
  });

  it('follow the size of the window [§2.2]', () => {
    const store = start({ menuSidebarCollapsed: true });
    expect(has('sidebar-collapse')).toBe(true);
    store.dispatch(setWindowSize('xs'));
    expect(has('sidebar-collapse')).toBe(false);
    expect(has('sidebar-open')).toBe(true);
    store.dispatch(toggleSidebarMenu());
    expect(has('sidebar-open')).toBe(false);
    expect(has('sidebar-closed') && has('sidebar-collapse')).toBe(true);
  });

  it('put the theme on <html> too, for dialogs and toasts [§4]', () => {
    start().dispatch(toggleDarkMode());
    expect(document.documentElement.dataset.bsTheme).toBe('dark');
  });
});

describe('stored layout settings', () => {
  it('are restored at the next visit, the icon rail included [§4]', () => {
    const store = start();
    for (const toggle of [toggleDarkMode, toggleHeaderFixed, toggleFooterFixed, toggleSidebarMenu]) {
      store.dispatch(toggle());
    }
    store.dispatch(toggleControlSidebar());
    expect(loadLayout(1440)).toEqual({ ...store.getState().layout, controlSidebarCollapsed: true });
  });

  it('do not restore an open drawer, and a phone does not lose the icon rail [§4]', () => {
    const store = start();
    store.dispatch(toggleSidebarMenu());
    store.dispatch(setWindowSize('xs'));
    expect(loadLayout(390).menuSidebarCollapsed).toBe(false);
    store.dispatch(toggleSidebarMenu());
    expect(loadLayout(1440).menuSidebarCollapsed).toBe(true);
  });

  it('of two tabs do not overwrite each other [§4]', () => {
    const [one, other] = [start(), start()];
    one.dispatch(toggleDarkMode());
    other.dispatch(toggleHeaderFixed());
    other.dispatch(toggleSidebarMenu());
    one.dispatch(toggleFooterFixed());
    expect(loadLayout(1440)).toMatchObject({
      darkMode: true,
      navbarVariant: 'navbar-dark',
      headerFixed: true,
      menuSidebarCollapsed: true,
      footerFixed: false,
    });
  });

  it.each(['{', '[]', 'null', '{"darkMode":"yes","navbarVariant":"x","sidebarSkin":7}'])(
    'are the defaults when the storage holds %s [§3]',
    (stored) => {
      localStorage.setItem('layout', stored);
      expect(loadLayout(1440)).toEqual(defaultLayout(1440));
    },
  );
});
