import type { BaseQueryApi, BaseQueryFn } from '@reduxjs/toolkit/query';
import { isExpired } from '../../lib/token.ts';
import { untilBack } from '../../session/session-end.ts';
import { REFRESH_MARGIN_SECONDS } from '../../session/session-limits.ts';
import { readSession, type SessionDispatch, selectIsAway } from '../../session/session-slice.ts';
import { endRefusedSession, refreshAccessToken } from '../../session/token-refresh.ts';
import { type ApiError, expiredError } from '../../transport/api-error.ts';
import { type Call, type Outcome, onlyReads, type Reply, send } from '../../transport/transport.ts';
import { withKey } from './attempt-keys.ts';
import { sendOrRecall } from './known-lists.ts';
import { withProof } from './proof.ts';

/**
 * Sends every call of the console (SPEC §7.5), with the bearer token when there is one. The token is refreshed before a
 * call when it is about to expire; a call that is answered 401 refreshes it once and is sent again once. One that wants
 * a fresh proof of who is signed in is sent again once there is one.
 */
export const baseQuery: BaseQueryFn<Call, Reply, ApiError> = (call, context) =>
  withKey(call, context, (keyed) => withProof(keyed, context, () => sendInSession(keyed, context)));

/**
 * Sends nothing while a session has ended whose user may come back. What reads waits for them, so that the page goes on by
 * itself; what changes something has failed, and is done again by hand.
 */
async function sendInSession(call: Call, context: BaseQueryApi): Promise<Outcome> {
  const dispatch: SessionDispatch = context.dispatch;
  const isAway = () => call.route.permission !== 'public' && dispatch((_, getState) => selectIsAway(getState()));
  const isRead = onlyReads(call.route);
  for (;;) {
    const outcome = isAway() ? { error: expiredError() } : await sendWithToken(call, context);
    if (!isRead || outcome.error?.status !== 401 || !(await dispatch(untilBack()))) return outcome;
  }
}

async function sendWithToken(call: Call, context: BaseQueryApi): Promise<Outcome> {
  const dispatch: SessionDispatch = context.dispatch;
  if (call.route.permission === 'public') return send(call, dispatch(readSession()).jwtToken, context);
  const refusal = await refreshNearExpiry(dispatch);
  if (refusal) return { error: refusal };
  const { jwtToken } = dispatch(readSession());
  const outcome = await sendOrRecall(call, jwtToken, context);
  if (outcome.error?.status !== 401 || !jwtToken) return outcome;
  return retryOnce(call, jwtToken, context);
}

/** The bearer token for a call that fetchBaseQuery cannot make, refreshed first when it is about to expire. */
export async function getToken(dispatch: SessionDispatch): Promise<{ token: string } | { error: ApiError }> {
  const error = await refreshNearExpiry(dispatch);
  return error ? { error } : { token: dispatch(readSession()).jwtToken };
}

/** Returns why the call cannot be made; undefined when it can. */
async function refreshNearExpiry(dispatch: SessionDispatch): Promise<ApiError | undefined> {
  const { exp, clockOffset } = dispatch(readSession());
  if (exp === null || !isExpired(exp, clockOffset + REFRESH_MARGIN_SECONDS)) return undefined;
  const refresh = await dispatch(refreshAccessToken());
  if (refresh.kind === 'ended') return expiredError();
  // The server could not be reached: the present token is used until it expires.
  return refresh.kind === 'failed' && isExpired(exp, clockOffset) ? refresh.error : undefined;
}

/** @param refused the token with which the call was answered 401 */
async function retryOnce(call: Call, refused: string, context: BaseQueryApi): Promise<Outcome> {
  const dispatch: SessionDispatch = context.dispatch;
  if (dispatch(readSession()).jwtToken === refused) {
    const refresh = await dispatch(refreshAccessToken());
    if (refresh.kind === 'failed') return { error: refresh.error };
  }
  const { jwtToken } = dispatch(readSession());
  if (!jwtToken) return { error: expiredError() };
  const outcome = await sendOrRecall(call, jwtToken, context);
  if (outcome.error?.status !== 401) return outcome;
  dispatch(endRefusedSession(jwtToken));
  return { error: expiredError() };
}
