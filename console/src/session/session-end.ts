import { notify } from '../components/toast/toast.tsx';
import { i18n } from '../locales/i18n.ts';
import { type SessionThunk, sessionEnded } from './session-slice.ts';

/**
 * Ends a session in another way than by signing out here, and says so (SPEC §8). The guard of the routes then navigates
 * to /login.
 */
export const endSession = (): SessionThunk<void> => (dispatch) => {
  dispatch(sessionEnded());
  notify.error(i18n.t('session.expired'));
};
