import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { configureStore } from '@reduxjs/toolkit';
import { onTestFinished } from 'vitest';
import { api, dropAnswers, mutationFor } from '../api/http/client.ts';
import { beginSession, startSession } from '../session/session.ts';
import { type SessionState, sessionReducer } from '../session/session-slice.ts';
import type { Call } from '../transport/transport.ts';
import type { fakeApi } from './fake-api.ts';
import { signedIn } from './session.ts';

const probes = api.injectEndpoints({
  endpoints: (build) => ({
    probe: build.mutation(mutationFor(tenantRoutes.activate)),
    read: build.query<unknown, void>({ query: (): Call => ({ route: authRoutes.me }) }),
  }),
  overrideExisting: true,
});

/** A browser tab: it has a store of its own, and shares the storage with the other tabs. */
export async function openTab() {
  const store = configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware),
  });
  const close = await startSession(store, () => store.dispatch(dropAnswers()));
  onTestFinished(close);
  return {
    store,
    close,
    session: () => store.getState().session,
    /** Makes a call that needs a token. */
    call: (id = '1') => store.dispatch(probes.endpoints.probe.initiate({ id }, { track: false })),
    /** Reads with a token; the answer is kept. */
    read: () => store.dispatch(probes.endpoints.read.initiate()),
    readAnew: () => store.dispatch(probes.endpoints.read.initiate(undefined, { forceRefetch: true })),
  };
}

/** Signs in: the tab gets the API's newest token, with this many seconds left. */
export function signInTab(
  tab: Awaited<ReturnType<typeof openTab>>,
  server: ReturnType<typeof fakeApi>,
  seconds = 900,
  user: Partial<SessionState> = {},
) {
  const { id, role, email, firstName, lastName, username, phone } = signedIn(user);
  const accessToken = server.issue(seconds);
  const { refreshToken } = server;
  const serverTime = server.serverTime();
  const profile = { id, role, email, firstName, lastName, username, phone };
  tab.store.dispatch(beginSession({ ...profile, accessToken, refreshToken, serverTime }));
}
