import type { RuntimeConfig } from '@apotheca/contract/config';
import { useTranslation } from 'react-i18next';
import { RetryNotice } from '../../components/notice/retry-notice.tsx';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import { lazyPart } from '../../lib/lazy-part.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { PATHS } from '../navigation/paths.ts';

/** Most installations have none. */
const useProviderButtons = lazyPart(
  async () => (await import('../../features/auth/providers/provider-buttons.tsx')).ProviderButtons,
);

/** All ways to sign in. @param props.username of whom a sign-in is expected */
export function SignInWays({ username }: { username?: string }) {
  const { signInProviders, passwordsAreOff } = getRuntimeConfig();
  return (
    <>
      <SignInForm username={username} forgotPasswordPath={PATHS.forgotPassword} />
      {signInProviders && <Providers providers={signInProviders} passwordsAreOff={passwordsAreOff === true} />}
    </>
  );
}

interface ProvidersProps {
  providers: NonNullable<RuntimeConfig['signInProviders']>;
  passwordsAreOff: boolean;
}

function Providers(props: ProvidersProps) {
  const { t } = useTranslation();
  const { value: ProviderButtons, isError, retry } = useProviderButtons();
  if (isError) return <RetryNotice onRetry={retry}>{t('errors.chunk')}</RetryNotice>;
  return ProviderButtons && <ProviderButtons {...props} />;
}
