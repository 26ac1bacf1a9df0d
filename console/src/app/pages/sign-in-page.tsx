import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { lazyPage } from '../navigation/lazy-page.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** Most installations have none. */
const ProviderButtons = lazyPage(
  async () => (await import('../../features/auth/providers/provider-buttons.tsx')).ProviderButtons,
);

/** /login (SPEC §2.3), with the providers by which people sign in here below it. */
export function SignInPage() {
  const { t } = useTranslation();
  usePageTitle(t('login.button.signIn.label'));
  const { signInProviders, passwordsAreOff } = getRuntimeConfig();
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
      <SignInForm forgotPasswordPath={PATHS.forgotPassword} />
      {signInProviders && (
        <Suspense>
          <ProviderButtons providers={signInProviders} passwordsAreOff={passwordsAreOff === true} />
        </Suspense>
      )}
    </AuthFrame>
  );
}
