import { createAction } from '@reduxjs/toolkit';
import { changeCountReducer } from '../../api/http/change-count.ts';
import { api, dropAnswers } from '../../api/http/client.ts';
import { operationCalls } from '../../api/http/operation-slice.ts';
import { proofReducer } from '../../api/http/proof.ts';
import { lastWriteReducer } from '../../lists/last-write-slice.ts';
import { type AppStore, reducer } from './store.ts';

reducer
  .inject(api)
  .inject({ reducerPath: 'changeCount', reducer: changeCountReducer })
  .inject({ reducerPath: 'operationCalls', reducer: operationCalls })
  .inject({ reducerPath: 'proof', reducer: proofReducer })
  .inject({ reducerPath: 'lastWrite', reducer: lastWriteReducer });

/** The first action after the slices are there, which makes their state. */
const apiAdded = createAction('store/apiAdded');

/** Adds what the protected pages need to a store: RTK Query and the slices that follow its calls. Once per store. */
export function addApi(store: AppStore): void {
  if (store.answers.drop) return;
  store.addMiddleware(api.middleware);
  store.dispatch(apiAdded());
  store.answers.drop = () => void store.dispatch(dropAnswers());
}
