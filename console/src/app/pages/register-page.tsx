import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { RegisterForm } from '../../features/auth/register-form.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** /register (SPEC §2.1). */
export function RegisterPage() {
  const { t } = useTranslation();
  usePageTitle(t('register.label'));
  return (
    <AuthFrame message={t('register.registerNew')} footer={<Link to={PATHS.login}>{t('register.alreadyHave')}</Link>}>
      <RegisterForm />
    </AuthFrame>
  );
}
