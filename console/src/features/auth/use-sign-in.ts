import type { authRoutes } from '@apotheca/contract/auth';
import type { BodyInput } from '@apotheca/contract/route';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { showError } from '../../api/http/answer-errors.ts';
import { notify } from '../../components/toast/toast.tsx';
import { authenticate, beginSession } from '../../session/session.ts';
import type { SessionDispatch } from '../../session/session-slice.ts';
import { isApiError } from '../../transport/api-error.ts';

type SignIn = BodyInput<typeof authRoutes.authenticate>;

/** Signs in: makes the call, starts the session and shows messages. The guards of the routes then navigate on. */
export function useSignIn() {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  const [isLoading, setLoading] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  /** @returns whether a user is signed in now */
  async function signIn(credentials: SignIn): Promise<boolean> {
    setRefusal(undefined);
    setLoading(true);
    const { session, error } = await dispatch(authenticate(credentials));
    setLoading(false);
    // A token that cannot be read starts no session.
    if (session && dispatch(beginSession(session))) {
      notify.success(t('login.success'));
      return true;
    }
    showError(error);
    setRefusal(isApiError(error) ? error.message : t('session.errors.unknown'));
    return false;
  }

  return { signIn, isLoading, refusal };
}
