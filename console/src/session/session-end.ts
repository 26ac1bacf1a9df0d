import { notify } from '../components/toast/toast.tsx';
import { i18n } from '../locales/i18n.ts';
import { type SessionThunk, sessionEnded } from './session-slice.ts';

/** Ends a session that nobody has signed out of here, and says so (SPEC §8). The guard of the routes leads to /login. */
export const endSession = (): SessionThunk<void> => (dispatch) => {
  dispatch(sessionEnded());
  notify.error(i18n.t('session.expired'));
};
