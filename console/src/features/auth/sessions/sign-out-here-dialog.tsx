import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { signOut } from '../../../session/session.ts';
import type { SessionDispatch } from '../../../session/session-slice.ts';

/** Asks before the current session is ended, which is an ordinary sign-out. */
export function SignOutHereDialog({ show, onClose }: { show: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  return (
    <ConfirmDialog
      show={show}
      title={t('sessions.leave.title')}
      message={t('sessions.leave.question')}
      confirmLabel={t('sessions.end')}
      // The guard of the protected routes then navigates to /login.
      onConfirm={() => dispatch(signOut())}
      onCancel={onClose}
    />
  );
}
