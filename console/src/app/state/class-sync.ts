import { createAction, createListenerMiddleware, type ListenerMiddlewareInstance } from '@reduxjs/toolkit';
import { type LayoutState, toggleLayoutFixed } from './layout-slice.ts';
import { saveLayout } from './layout-storage.ts';
import { SIDEBAR_CLASSES, sidebarClasses } from './screen-size.ts';

interface WithLayout {
  layout: LayoutState;
}

/** The page is there: puts the classes of the starting state on the page root. */
export const layoutStarted = createAction('layout/started');

/** Classes that are a plain function of the state. `layout-fixed` is not one of them, see below. */
const CLASS_RULES: [string, (layout: LayoutState) => boolean][] = [
  ['layout-navbar-fixed', (layout) => layout.headerFixed],
  ['layout-footer-fixed', (layout) => layout.footerFixed],
  ['layout-boxed', (layout) => layout.layoutBoxed],
  ['dark-mode', (layout) => layout.darkMode],
  ['control-sidebar-slide-open', (layout) => !layout.controlSidebarCollapsed],
];

function syncClasses(layout: LayoutState): void {
  // Dialogs and toasts live in the body, outside the root: the theme hangs on <html>.
  document.documentElement.dataset.bsTheme = layout.darkMode ? 'dark' : 'light';
  const root = document.getElementById('root');
  if (!root) return;
  for (const [name, applies] of CLASS_RULES) root.classList.toggle(name, applies(layout));
  root.classList.remove(...SIDEBAR_CLASSES);
  root.classList.add(...sidebarClasses(layout.screenSize, layout.menuSidebarCollapsed));
}

/**
 * Keeps the classes of the page root (#root) and the stored settings in step with the layout state, so that reducers
 * stay pure. A listener middleware for one store.
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
  // SPEC §4: switched off adds the class, switched on removes it, and at the start, though off, it is not there. So the
  // class follows the action, never the state alone.
  sync.startListening({
    actionCreator: toggleLayoutFixed,
    effect: (_, api) => {
      document.getElementById('root')?.classList.toggle('layout-fixed', !api.getState().layout.layoutFixed);
    },
  });
  return sync;
}
