import type { SessionResult } from '@apotheca/contract/auth';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { showError } from '../../../api/http/answer-errors.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { beginSession } from '../../../session/session.ts';
import type { SessionDispatch } from '../../../session/session-slice.ts';
import { isApiError } from '../../../transport/api-error.ts';

/** Starts the session of an answer, or shows why there is none. */
export function useSessionBegin() {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  const [isLoading, setLoading] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  function begin(session: SessionResult): boolean {
    // A token that cannot be read starts no session.
    if (!dispatch(beginSession(session))) return refuse(undefined);
    notify.success(t('login.success'));
    return true;
  }

  /** @returns false */
  function refuse(error: unknown): false {
    showError(error);
    setRefusal(isApiError(error) ? error.message : t('session.errors.unknown'));
    return false;
  }

  async function whileLoading<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    setRefusal(undefined);
    setLoading(true);
    const answer = await call();
    setLoading(false);
    return answer;
  }

  return { begin, refuse, whileLoading, isLoading, refusal };
}
