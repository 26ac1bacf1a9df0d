import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { ForgotPasswordForm } from '../../features/auth/forgot-password-form.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** /forgot-password (SPEC §2.4). */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  usePageTitle(t('recover.requestNewPassword'));
  return (
    <AuthFrame
      message={t('recover.forgotYourPassword')}
      footer={<Link to={PATHS.login}>{t('login.button.signIn.label')}</Link>}
    >
      <ForgotPasswordForm />
    </AuthFrame>
  );
}
