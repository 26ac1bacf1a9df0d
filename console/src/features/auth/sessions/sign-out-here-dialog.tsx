import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { signOut } from '../../../session/session.ts';
import type { SessionDispatch } from '../../../session/session-slice.ts';

/** Asks before one's current session is ended, which is a sign-out like any other. */
export function SignOutHereDialog({ show, onClose }: { show: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  return (
    <ConfirmDialog
      show={show}
      title={t('sessions.leave.title')}
      message={t('sessions.leave.question')}
      confirmLabel={t('sessions.end')}
      // The guard of the protected routes leads to /login.
      onConfirm={() => dispatch(signOut())}
      onCancel={onClose}
    />
  );
}
