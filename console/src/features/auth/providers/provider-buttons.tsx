import type { RuntimeConfig } from '@apotheca/contract/config';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router';
import { Button } from '../../../components/button/button.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import type { SessionDispatch } from '../../../session/session-slice.ts';
import { beginAtProvider } from './provider-sign-in.ts';

interface ProviderButtonsProps {
  providers: NonNullable<RuntimeConfig['signInProviders']>;
  /** Says so: the form above is for one account only. */
  passwordsAreOff: boolean;
}

/** The ways to sign in by a provider, a button each. */
export function ProviderButtons({ providers, passwordsAreOff }: ProviderButtonsProps) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  const { state } = useLocation();
  const [leaving, setLeaving] = useState<string>();
  const [failure, setFailure] = useState<string>();

  // Back from the provider's page, the browser may show this one as it was left.
  useEffect(() => {
    const stay = () => setLeaving(undefined);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  const begin = async (provider: string) => {
    setFailure(undefined);
    setLeaving(provider);
    const error = await dispatch(beginAtProvider(provider, state));
    if (!error) return;
    setLeaving(undefined);
    setFailure(error.message);
  };

  return (
    <div className="auth-providers">
      <div className="auth-or">{t('login.providers.or')}</div>
      {passwordsAreOff && <Notice tone="info">{t('login.providers.passwordsAreOff')}</Notice>}
      {failure !== undefined && (
        <Notice tone="danger" role="alert" title={t('login.failed')}>
          {failure}
        </Notice>
      )}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="secondary"
          size="large"
          block
          loading={leaving === id}
          disabled={leaving !== undefined && leaving !== id}
          onClick={() => begin(id)}
        >
          {t('login.button.signIn.social', { what: name })}
        </Button>
      ))}
    </div>
  );
}
