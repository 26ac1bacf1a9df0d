import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate, useParams } from 'react-router';
import { Notice } from '../../../components/notice/notice.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { tellAnswer } from '../../../lib/provider-answers.ts';
import { type SessionDispatch, selectIsLoggedIn } from '../../../session/session-slice.ts';
import { finishAtProvider, takeKeptSignIn } from './provider-sign-in.ts';

interface ProviderReturnProps {
  /** @param left the state of the sign-in page. @returns where who is signed in goes on */
  addressAfter: (left: unknown) => string;
}

/**
 * Takes a provider's answer out of the address and signs in with it, or says why not. The guards then navigate on. The answer to a proof is
 * handed to the tab that has asked for it.
 */
export function ProviderReturn({ addressAfter }: ProviderReturnProps) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { provider } = useParams();
  const hasBegun = useRef(false);
  const [failure, setFailure] = useState<string>();
  const [isHandedOver, setHandedOver] = useState(false);
  const [wasSignedIn] = useState(useSelector(selectIsLoggedIn));

  const finish = useEffectEvent(async () => {
    // The answer counts once, but StrictMode runs effects twice.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const answer = new URLSearchParams(search);
    const kept = takeKeptSignIn();
    const [code, state, error] = [answer.get('code'), answer.get('state'), answer.get('error')];
    // The sign-in of this tab, after one in another tab.
    if (wasSignedIn && kept && kept.state === state) return navigate(addressAfter(kept.left), { replace: true });
    // Another tab has asked who is signed in.
    if (wasSignedIn) {
      tellAnswer({ state: state ?? '', code, iss: answer.get('iss') });
      await navigate(pathname, { replace: true });
      setHandedOver(true);
      return window.close();
    }
    await navigate(pathname, { replace: true, state: kept?.left });
    // Nothing that the provider says in words is shown: anybody can write such an address.
    if (error === 'access_denied') setFailure(t('login.providers.cancelled'));
    else if (error !== null) setFailure(t('login.providers.failed'));
    else if (!kept || kept.provider !== provider || !code || !state) setFailure(t('login.providers.lost'));
    else {
      const refusal = await dispatch(finishAtProvider(kept, { code, state, iss: answer.get('iss') }));
      if (refusal) setFailure(refusal.message);
      else notify.success(t('login.success'));
    }
  });
  useEffect(() => void finish(), []);

  if (isHandedOver) return <p role="status">{t('login.providers.handedOver')}</p>;
  if (failure === undefined) return <Spinner large variant="primary" label={t('login.providers.signingIn')} />;
  return (
    <Notice tone="danger" role="alert" title={t('login.failed')}>
      {failure}
    </Notice>
  );
}
