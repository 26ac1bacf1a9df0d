import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { RecoverPasswordForm } from '../../features/auth/recover-password-form.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** /recover-password (SPEC §2.4). */
export function RecoverPasswordPage() {
  const { t } = useTranslation();
  usePageTitle(t('recover.changePassword'));
  return (
    <AuthFrame
      message={t('recover.oneStepAway')}
      footer={<Link to={PATHS.login}>{t('login.button.signIn.label')}</Link>}
    >
      <RecoverPasswordForm />
    </AuthFrame>
  );
}
