import { createAction, createListenerMiddleware, type ListenerMiddlewareInstance } from '@reduxjs/toolkit';
import { type LayoutState, toggleLayoutFixed } from './layout-slice.ts';
import { saveLayout } from './layout-storage.ts';
import { SIDEBAR_CLASSES, sidebarClasses } from './screen-size.ts';

interface WithLayout {
  layout: LayoutState;
}

/** The page root exists: sets the classes of the initial state on it. */
export const layoutStarted = createAction('layout/started');

/** Classes that follow from the state alone. `layout-fixed` is not one of them, see below. */
const CLASS_RULES: [string, (layout: LayoutState) => boolean][] = [
  ['layout-navbar-fixed', (layout) => layout.headerFixed],
  ['layout-footer-fixed', (layout) => layout.footerFixed],
  ['layout-boxed', (layout) => layout.layoutBoxed],
  ['dark-mode', (layout) => layout.darkMode],
  ['control-sidebar-slide-open', (layout) => !layout.controlSidebarCollapsed],
];

function syncClasses(layout: LayoutState): void {
  // Dialogs and toasts are children of the body, outside of the root, so the theme is set on <html>.
  document.documentElement.dataset.bsTheme = layout.darkMode ? 'dark' : 'light';
  const root = document.getElementById('root');
  if (!root) return;
  for (const [name, applies] of CLASS_RULES) root.classList.toggle(name, applies(layout));
  root.classList.remove(...SIDEBAR_CLASSES);
  root.classList.add(...sidebarClasses(layout.screenSize, layout.menuSidebarCollapsed));
}

/**
 * Keeps the classes of the page root (#root) and the stored settings in step with the layout state, so that reducers
 * stay pure. Makes a listener middleware for one store.
 */
export function createLayoutSync(): ListenerMiddlewareInstance<WithLayout> {
  const sync = createListenerMiddleware<WithLayout>();
  sync.startListening({ actionCreator: layoutStarted, effect: (_, api) => syncClasses(api.getState().layout) });
  sync.startListening({
    predicate: (_, current, previous) => current.layout !== previous.layout,
    effect: (_, api) => {
      syncClasses(api.getState().layout);
      saveLayout(api.getState().layout, api.getOriginalState().layout);
    },
  });
  // SPEC §4: switching the setting off adds the class and switching it on removes it. At the start the setting is off
  // and the class is absent, so the class cannot follow from the state: it follows the action.
  sync.startListening({
    actionCreator: toggleLayoutFixed,
    effect: (_, api) => {
      document.getElementById('root')?.classList.toggle('layout-fixed', !api.getState().layout.layoutFixed);
    },
  });
  return sync;
}
