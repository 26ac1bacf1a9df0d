import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';
import { SignInWays } from './sign-in-ways.tsx';

/** /login (SPEC §2.3), with the providers by which people sign in here below it. */
export function SignInPage() {
  const { t } = useTranslation();
  usePageTitle(t('login.button.signIn.label'));
  return (
    <AuthFrame
      message={t('login.label.signIn')}
      footer={
        <>
          <Link to={PATHS.register}>{t('login.label.registerNew')}</Link>
          <span aria-hidden="true">·</span>
          <span className="num">{t('login.label.version')}</span>
        </>
      }
    >
      <SignInWays />
    </AuthFrame>
  );
}
