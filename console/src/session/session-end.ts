import { notify } from '../components/toast/toast.tsx';
import { i18n } from '../locales/i18n.ts';
import { readSession, type SessionThunk, selectIsAway, sessionEnded } from './session-slice.ts';

/**
 * Ends a session in another way than by signing out here, and says so (SPEC §8). The address is then /login; whoever the session
 * belongs to signs in over what is open.
 */
export const endSession = (): SessionThunk<void> => (dispatch) => {
  dispatch(sessionEnded());
  notify.error(i18n.t('session.expired'));
};

interface Wait extends PromiseWithResolvers<boolean> {
  userId: string;
}

/** What waits in each store for the user whose session has ended. The store's own dispatch is the key, as each tab has one. */
const waits = new WeakMap<object, Wait>();

/** Waits while a session has ended whose user may come back. @returns whether they have; false at once where nobody is awaited */
export const untilBack = (): SessionThunk<Promise<boolean>> => async (dispatch, getState) => {
  if (!selectIsAway(getState())) return false;
  const wait = waits.get(dispatch) ?? { ...Promise.withResolvers<boolean>(), userId: dispatch(readSession()).id };
  waits.set(dispatch, wait);
  return wait.promise;
};

/** Tells what waits that the user is back, or that nobody waits for them any more. */
export const tellBack = (): SessionThunk<void> => (dispatch, getState) => {
  const wait = waits.get(dispatch);
  if (!wait || selectIsAway(getState())) return;
  waits.delete(dispatch);
  wait.resolve(dispatch(readSession()).id === wait.userId);
};
