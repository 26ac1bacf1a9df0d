import { combineSlices, configureStore, createDynamicMiddleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { sessionReducer } from '../../session/session-slice.ts';
import type { AddedState } from './added-state.ts';
import { createLayoutSync } from './class-sync.ts';
import { layoutReducer } from './layout-slice.ts';

/** The slices that every page needs; `api-store.ts` adds those of the protected pages. */
export const reducer = combineSlices({
  session: sessionReducer,
  layout: layoutReducer,
}).withLazyLoadedSlices<AddedState>();

export type RootState = ReturnType<typeof reducer>;

/** Makes the console's one store, without RTK Query: the sign-in page does without it, see `addApi`. */
export function makeStore(preloadedState?: Partial<RootState>) {
  const { middleware: added, addMiddleware } = createDynamicMiddleware();
  const store = configureStore({
    reducer,
    preloadedState,
    middleware: (getDefault) => getDefault().prepend(createLayoutSync().middleware).concat(added),
  });
  /** How the answers of a user who is gone are dropped; there are none before `addApi`. */
  const answers: { drop?: () => void } = {};
  return { ...store, addMiddleware, answers };
}

export type AppStore = ReturnType<typeof makeStore>;
export const useAppDispatch = useDispatch.withTypes<AppStore['dispatch']>();
export const useAppStore = useStore.withTypes<AppStore>();
export const useAppSelector = useSelector.withTypes<RootState>();
