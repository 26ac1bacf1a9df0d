import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '../../api/http/client.ts';
import { operationCalls } from '../../api/http/operation-slice.ts';
import { lastWriteReducer } from '../../lists/last-write-slice.ts';
import { sessionReducer } from '../../session/session-slice.ts';
import { createLayoutSync } from './class-sync.ts';
import { layoutReducer } from './layout-slice.ts';

const reducer = combineReducers({
  session: sessionReducer,
  layout: layoutReducer,
  operationCalls,
  lastWrite: lastWriteReducer,
  [api.reducerPath]: api.reducer,
});

export type RootState = ReturnType<typeof reducer>;

/** Makes the console's one store; tests make their own, with the state they need. */
export const makeStore = (preloadedState?: Partial<RootState>) =>
  configureStore({
    reducer,
    preloadedState,
    middleware: (getDefault) => getDefault().prepend(createLayoutSync().middleware).concat(api.middleware),
  });

export type AppStore = ReturnType<typeof makeStore>;
export const useAppDispatch = useDispatch.withTypes<AppStore['dispatch']>();
export const useAppSelector = useSelector.withTypes<RootState>();
