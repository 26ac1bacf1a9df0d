import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useEffect } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, type InitialEntry, RouterProvider } from 'react-router';
import { addApi } from '../app/state/api-store.ts';
import { type AppStore, makeStore } from '../app/state/store.ts';
import { ToastHost } from '../components/toast/toast.tsx';
import { keepListsFresh } from '../lists/list-freshness.ts';
import { signedIn } from './session.ts';

interface Options {
  /** The initial state; by default a user is signed in. */
  preloadedState?: Parameters<typeof makeStore>[0];
  /** The store of an earlier page; absent: a new one. */
  store?: AppStore;
  /** The initial address, with its router state. */
  route?: InitialEntry;
  /** Pattern of the page's route, for pages that read parameters from it. */
  path?: string;
}

/** What the frame of the protected pages does besides. */
function FreshLists({ store }: { store: AppStore }) {
  useEffect(() => keepListsFresh(store.dispatch), [store]);
  return null;
}

/**
 * Renders a page as the app does: with a store, a router and the toasts.
 * @returns the queries of testing-library and `store`, `router` (its address: `router.state.location`) and `user`
 */
export function renderWithStore(
  ui: ReactNode,
  { preloadedState, store: given, route = '/', path = '*' }: Options = {},
) {
  const store = given ?? makeStore({ session: signedIn(), ...preloadedState });
  addApi(store);
  const router = createMemoryRouter([{ path, element: ui }], { initialEntries: [route] });
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
      <ToastHost />
      <FreshLists store={store} />
    </Provider>,
  );
  return { ...view, store, router, user: userEvent.setup() };
}
