import { authRoutes } from '@apotheca/contract/auth';
import { isExpired } from '../lib/token.ts';
import { type ApiError, clientError } from '../transport/api-error.ts';
import { send } from '../transport/transport.ts';
import { callContext } from './call-context.ts';
import { withRefreshLock } from './refresh-lock.ts';
import { endSession } from './session-end.ts';
import { REFRESH_MARGIN_SECONDS } from './session-limits.ts';
import { expiryOf, readSession, type SessionThunk, setCredentials } from './session-slice.ts';
import { readStoredSession } from './session-storage.ts';

/** The result of a refresh: a usable token, no session any more, or no answer (the session stays as it is). */
export type RefreshOutcome = { kind: 'refreshed' } | { kind: 'ended' } | { kind: 'failed'; error: ApiError };

/** The running refresh of each store. The store's own dispatch is the key, so that a tab has one refresh. */
const refreshes = new WeakMap<object, Promise<RefreshOutcome>>();

/**
 * Gets a newer access token. All who ask meanwhile share one refresh: the timer, the calls near expiry and the calls
 * answered 401. One tab refreshes for all tabs (DECISIONS §4).
 */
export const refreshAccessToken = (): SessionThunk<Promise<RefreshOutcome>> => (dispatch) => {
  const running = refreshes.get(dispatch);
  if (running) return running;
  const { jwtToken } = dispatch(readSession());
  const started = withRefreshLock(() => dispatch(refreshInLock(jwtToken))).finally(() => refreshes.delete(dispatch));
  refreshes.set(dispatch, started);
  return started;
};

/** Ends the session of a refused token, unless this or another tab has a newer one: then that is used. */
export const endRefusedSession =
  (refused: string): SessionThunk<RefreshOutcome> =>
  (dispatch) => {
    const { jwtToken } = dispatch(readSession());
    if (jwtToken !== refused || dispatch(adoptNewerToken())) return { kind: 'refreshed' };
    dispatch(endSession());
    return { kind: 'ended' };
  };

/** Takes over the token that another tab has stored, when it is newer. */
const adoptNewerToken = (): SessionThunk<boolean> => (dispatch) => {
  const mine = dispatch(readSession());
  const stored = readStoredSession();
  if (!stored?.jwtToken || stored.jwtToken === mine.jwtToken) return false;
  const exp = expiryOf(stored.jwtToken);
  if (exp === null || exp < (mine.exp ?? 0)) return false;
  dispatch(setCredentials(stored));
  return true;
};

/** @param outdated the token to replace; while waiting for the lock another tab may have replaced it */
const refreshInLock =
  (outdated: string): SessionThunk<Promise<RefreshOutcome>> =>
  async (dispatch) => {
    dispatch(adoptNewerToken());
    const { isLoggedIn, jwtToken, exp, clockOffset } = dispatch(readSession());
    if (!isLoggedIn || exp === null) return { kind: 'ended' };
    if (jwtToken !== outdated && !isExpired(exp, clockOffset + REFRESH_MARGIN_SECONDS)) return { kind: 'refreshed' };
    return dispatch(refresh());
  };

const refresh = (): SessionThunk<Promise<RefreshOutcome>> => async (dispatch, getState) => {
  const { jwtToken, refreshToken } = dispatch(readSession());
  const call = { route: authRoutes.refresh, body: { refreshToken, accessToken: jwtToken } };
  const { data, error } = await send(call, jwtToken, callContext('refresh', dispatch, getState));
  const now = dispatch(readSession());
  // The user has signed out, or in again, during the call: the answer belongs to nobody.
  if (now.refreshToken !== refreshToken) return { kind: now.isLoggedIn ? 'refreshed' : 'ended' };
  if (error) return isRefusal(error) ? dispatch(endRefusedSession(jwtToken)) : { kind: 'failed', error };
  const result = authRoutes.refresh.result.safeParse(data.result);
  if (!result.success) return { kind: 'failed', error: clientError('PARSING_ERROR') };
  const { accessToken, serverTime } = result.data;
  // A token that cannot be read is none (SPEC §4).
  if (expiryOf(accessToken) === null) return dispatch(endRefusedSession(jwtToken));
  dispatch(setCredentials({ jwtToken: accessToken, clockOffset: clockOffsetFrom(serverTime) }));
  return { kind: 'refreshed' };
};

/** Server's clock minus this browser's, in seconds. */
export const clockOffsetFrom = (serverTime: number): number => serverTime - Math.floor(Date.now() / 1000);

/** The refresh was refused for good; a timeout or an overloaded or broken server says nothing about the session. */
const isRefusal = ({ status }: ApiError): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429;
