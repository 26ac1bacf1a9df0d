import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { randomHex } from '../../lib/random-hex.ts';
import type { SessionDispatch, SessionThunk } from '../../session/session-slice.ts';
import { type Call, type Outcome, onlyReads, urlOf } from '../../transport/transport.ts';

/** A call that makes something, sent and not yet answered as done. */
interface Attempt {
  body: string;
  key: string;
}

/** By method and address. The store's own dispatch is the key, as each tab has one. */
const attemptsOf = new WeakMap<object, Map<string, Attempt>>();

const readAttempts = (): SessionThunk<Map<string, Attempt>> => (dispatch) => {
  const attempts = attemptsOf.get(dispatch) ?? new Map();
  attemptsOf.set(dispatch, attempts);
  return attempts;
};

/** Forgets all attempts: their user is gone. One that is under way is not kept either. */
export const forgetAttempts = (): SessionThunk<void> => (dispatch) => {
  attemptsOf.delete(dispatch);
};

/**
 * Makes a call. One that makes something gets an idempotency key (decision 055), and when it is sent again after a failure it has the same
 * one: its answer may be all that was lost. After another change it counts as a new one, as that may have taken away what was made.
 */
export async function withKey(
  call: Call,
  { dispatch }: Pick<BaseQueryApi, 'dispatch'>,
  attempt: (call: Call) => Promise<Outcome>,
): Promise<Outcome> {
  const inSession: SessionDispatch = dispatch;
  const attempts = inSession(readAttempts());
  const { route } = call;
  if (!route.keyed) {
    const outcome = await attempt(call);
    // Who signs in over a dialog goes on with it.
    if (!outcome.error && !onlyReads(route) && route.permission !== 'public') attempts.clear();
    return outcome;
  }
  const place = `${route.method} ${urlOf(call)}`;
  const body = JSON.stringify(call.body) ?? '';
  const before = attempts.get(place);
  const now = before?.body === body ? before : { body, key: randomHex(16) };
  attempts.set(place, now);
  const outcome = await attempt({ ...call, key: now.key });
  if (!outcome.error && attempts.get(place) === now) attempts.delete(place);
  // A change that ended meanwhile has forgotten it, such as the proof that it waited for.
  if (outcome.error && !attempts.has(place)) attempts.set(place, now);
  return outcome;
}
