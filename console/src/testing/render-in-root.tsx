import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { addApi } from '../app/state/api-store.ts';
import { layoutStarted } from '../app/state/class-sync.ts';
import { defaultLayout, type LayoutState } from '../app/state/layout-slice.ts';
import { makeStore } from '../app/state/store.ts';
import { signedIn } from './session.ts';

interface Options {
  /** Width of the window in px. */
  width?: number;
  layout?: Partial<LayoutState>;
  session?: ReturnType<typeof signedIn>;
  route?: string;
}

/** Sets the window's width in px and tells the page. */
export function resizeTo(width: number): void {
  Object.defineProperty(window, 'innerWidth', { value: width, configurable: true });
  act(() => {
    window.dispatchEvent(new Event('resize'));
  });
}

/** Renders a part of the frame inside #root, as the app does. */
export function renderInRoot(ui: ReactNode, options: Options = {}) {
  const { width = 1440, layout, session = signedIn(), route = '/' } = options;
  resizeTo(width);
  const root = document.createElement('div');
  root.id = 'root';
  document.body.replaceChildren(root);
  const store = makeStore({ session, layout: { ...defaultLayout(width), ...layout } });
  addApi(store);
  store.dispatch(layoutStarted());
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[route]}>{ui}</MemoryRouter>
    </Provider>,
    { container: root },
  );
  return { ...view, root, store, user: userEvent.setup() };
}
