import { createAction, type WithSlice } from '@reduxjs/toolkit';
import { api } from '../../api/http/client.ts';
import { operationCalls } from '../../api/http/operation-slice.ts';
import { lastWriteReducer } from '../../lists/last-write-slice.ts';
import { keepListsFresh } from '../../lists/list-freshness.ts';
import { type AppStore, reducer } from './store.ts';

const callSlice = { reducerPath: 'operationCalls', reducer: operationCalls } as const;
const writeSlice = { reducerPath: 'lastWrite', reducer: lastWriteReducer } as const;

export type AddedState = WithSlice<typeof api> & WithSlice<typeof callSlice> & WithSlice<typeof writeSlice>;

reducer.inject(api).inject(callSlice).inject(writeSlice);

/** The first action after the slices are there, which makes their state. */
const apiAdded = createAction('store/apiAdded');

const complete = new WeakSet<AppStore>();

/** Adds what the protected pages need to a store: RTK Query and the slices that follow its calls. Once per store. */
export function addApi(store: AppStore): void {
  if (complete.has(store)) return;
  complete.add(store);
  store.addMiddleware(api.middleware);
  store.dispatch(apiAdded());
  store.answers.drop = () => void store.dispatch(api.util.resetApiState());
  keepListsFresh(store.dispatch);
}
