import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';

/** What RTK Query hands to a call, for a call that no endpoint makes: clearing the cache must not abort it. */
export function callContext<State>(
  endpoint: string,
  dispatch: ThunkDispatch<State, unknown, UnknownAction>,
  getState: () => State,
): BaseQueryApi {
  const { signal, abort } = new AbortController();
  return { signal, abort, dispatch, getState, extra: undefined, endpoint, type: 'mutation' };
}
