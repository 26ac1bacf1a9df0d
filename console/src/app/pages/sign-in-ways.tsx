import { Suspense } from 'react';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';
import { lazyPage } from '../navigation/lazy-page.tsx';
import { PATHS } from '../navigation/paths.ts';

/** Most installations have none. */
const ProviderButtons = lazyPage(
  async () => (await import('../../features/auth/providers/provider-buttons.tsx')).ProviderButtons,
);

/** All ways to sign in. @param props.username of whom a sign-in is expected */
export function SignInWays({ username }: { username?: string }) {
  const { signInProviders, passwordsAreOff } = getRuntimeConfig();
  return (
    <>
      <SignInForm username={username} forgotPasswordPath={PATHS.forgotPassword} />
      {signInProviders && (
        <Suspense>
          <ProviderButtons providers={signInProviders} passwordsAreOff={passwordsAreOff === true} />
        </Suspense>
      )}
    </>
  );
}
