import { authRoutes, type SessionResult } from '@apotheca/contract/auth';
import type { BodyInput, ContractRoute, ResultOf } from '@apotheca/contract/route';
import type { Store } from '@reduxjs/toolkit';
import { leaveFor } from '../lib/leave-for.ts';
import { isExpired } from '../lib/token.ts';
import { type ApiError, clientError } from '../transport/api-error.ts';
import { send } from '../transport/transport.ts';
import { callContext } from './call-context.ts';
import { endSession, tellBack } from './session-end.ts';
import { EXPIRY_MARGIN_SECONDS, REFRESH_MARGIN_SECONDS, SESSION_CHECK_MS } from './session-limits.ts';
import {
  readSession,
  resetSession,
  type SessionDispatch,
  type SessionRoot,
  type SessionState,
  type SessionThunk,
  selectSession,
  setCredentials,
  signedOut,
} from './session-slice.ts';
import {
  announceSignOut,
  concernsSession,
  readStoredSession,
  removeSession,
  tellsSignOut,
  writeSession,
} from './session-storage.ts';
import { clockOffsetFrom, type RefreshOutcome, refreshAccessToken } from './token-refresh.ts';

/** The store that holds a session. */
export type SessionStore = Pick<Store<SessionRoot>, 'getState' | 'subscribe'> & {
  dispatch: SessionDispatch;
};

/**
 * Restores the stored session, then keeps it: stored, checked every 5 seconds, in step with the other tabs.
 * @param dropAnswers called when another user, or nobody, is signed in: the cached answers of the user before must be
 * dropped
 * @returns stops all that; resolves when the first check is done, so that the first page is shown with a usable token
 */
export async function startSession(store: SessionStore, dropAnswers: () => void): Promise<() => void> {
  const { restore, stop } = keepStored(store, dropAnswers);
  restore(false);
  const check = () => store.dispatch(checkSession());
  const timer = setInterval(check, SESSION_CHECK_MS);
  // A browser tells of it while the session still lies in the storage, or once it is gone.
  let wasTold = false;
  const follow = (event: StorageEvent) => {
    const isTold = tellsSignOut(event, store.dispatch(readSession()).id);
    if (!isTold && !concernsSession(event.key)) return;
    restore(isTold || wasTold);
    wasTold = isTold;
  };
  window.addEventListener('storage', follow);
  await check();
  return () => {
    clearInterval(timer);
    window.removeEventListener('storage', follow);
    stop();
  };
}

/** Asks the server for a session; it may ask for a second factor first. */
export const authenticate = (body: BodyInput<typeof authRoutes.authenticate>) =>
  callSignedOut('authenticate', authRoutes.authenticate, body);

/** Makes a call of a sign-in, which has no token yet. */
export const callSignedOut =
  <Route extends ContractRoute>(
    endpoint: string,
    route: Route,
    body: BodyInput<Route>,
  ): SessionThunk<Promise<SignInAnswer<ResultOf<Route>>>> =>
  async (dispatch, getState) => {
    const context = callContext(endpoint, dispatch, getState);
    const { data, error } = await send({ route, body }, '', context);
    if (error) return { error };
    const parsed = route.result.safeParse(data.result);
    return parsed.success ? { result: parsed.data as ResultOf<Route> } : { error: clientError('PARSING_ERROR') };
  };

export type SignInAnswer<Result> = { result: Result; error?: undefined } | { result?: undefined; error: ApiError };

/**
 * Starts the session of a successful sign-in.
 * @returns false for a token that cannot be read: nobody is signed in then
 */
export const beginSession =
  ({ accessToken, serverTime, ...rest }: SessionResult): SessionThunk<boolean> =>
  (dispatch) => {
    dispatch(setCredentials({ ...rest, jwtToken: accessToken, clockOffset: clockOffsetFrom(serverTime) }));
    return dispatch(readSession()).isLoggedIn;
  };

/**
 * Signs out, here and in the other tabs. The server is told too; a failure of that call changes nothing here. Where a provider has
 * opened the session, its page for signing out comes next.
 */
export const signOut = (): SessionThunk<void> => (dispatch) => {
  void dispatch(tellServer()).then((url) => url && leaveFor(url));
  // Before the session goes, so that no other tab takes it for one that has ended.
  announceSignOut(dispatch(readSession()).id);
  dispatch(resetSession());
};

/** Tells the server that the session is over. @returns where to sign out at a provider */
const tellServer = (): SessionThunk<Promise<string | undefined>> => async (dispatch, getState) => {
  const { refreshToken, jwtToken } = dispatch(readSession());
  if (!refreshToken) return undefined;
  const context = callContext('logout', dispatch, getState);
  const { data } = await send({ route: authRoutes.logout, body: { refreshToken } }, jwtToken, context);
  return authRoutes.logout.result.safeParse(data?.result).data?.url;
};

/** Refreshes a token that is about to expire; a session whose token expires without a refresh ends (SPEC §4, §8). */
const checkSession = (): SessionThunk<Promise<void>> => async (dispatch) => {
  if (!isNear(dispatch(readSession()), REFRESH_MARGIN_SECONDS)) return;
  // After waking up, a machine has no network for some seconds: no refresh is possible, and waiting loses nothing.
  if (!navigator.onLine) return;
  let outcome = await dispatch(refreshAccessToken());
  // The server may have refreshed the token, or be slow: it still takes the same pair, as each refresh ends so early.
  if (isLate(outcome)) outcome = await dispatch(refreshAccessToken());
  if (outcome.kind !== 'failed' || !isNear(dispatch(readSession()), EXPIRY_MARGIN_SECONDS)) return;
  dispatch(tellServer());
  dispatch(endSession());
};

const isLate = (outcome: RefreshOutcome): boolean =>
  outcome.kind === 'failed' && outcome.error.status === 'TIMEOUT_ERROR';

const isNear = ({ exp, clockOffset }: SessionState, margin: number): boolean =>
  exp !== null && isExpired(exp, clockOffset + margin);

/**
 * Writes every change of the session to the storage; drops cached data when its user is gone (SPEC §7.5).
 * @returns `restore` takes over the stored session: at the start, and when another tab has signed in, out or refreshed. After a sign-out
 * by hand nothing of the page stays; heard late, it does not undo a later sign-in
 */
function keepStored(store: SessionStore, dropAnswers: () => void) {
  const current = () => selectSession(store.getState());
  let before = current();
  let isRestoring = false;
  const stop = store.subscribe(() => {
    const after = current();
    if (after === before) return;
    const last = before;
    before = after;
    if (!after.isLoggedIn) removeSession(last);
    // Values that were read are not written back: another tab may be storing newer ones at the same time.
    else if (!isRestoring) writeSession(last.isLoggedIn ? last : signedOut, after);
    if (last.id !== '' && after.id !== last.id) dropAnswers();
    store.dispatch(tellBack());
  });
  const restore = (isSignOut: boolean) => {
    const stored = readStoredSession();
    isRestoring = true;
    if (stored && stored.jwtToken !== current().jwtToken) {
      store.dispatch(setCredentials(stored));
      // A token that cannot be read is useless at the next start too.
      if (!current().isLoggedIn) removeSession(stored);
    }
    if (!stored && isSignOut) store.dispatch(resetSession());
    else if (!stored && current().isLoggedIn) store.dispatch(endSession());
    isRestoring = false;
  };
  return { stop, restore };
}
