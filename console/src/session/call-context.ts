import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';

/**
 * The context that RTK Query gives to a call, for calls without an endpoint: clearing the cache must not abort them.
 */
export function callContext<State>(
  endpoint: string,
  dispatch: ThunkDispatch<State, unknown, UnknownAction>,
  getState: () => State,
): BaseQueryApi {
  const { signal, abort } = new AbortController();
  return { signal, abort, dispatch, getState, extra: undefined, endpoint, type: 'mutation' };
}
