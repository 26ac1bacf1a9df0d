import { authRoutes, type OpenSession } from '@apotheca/contract/auth';
import { useTranslation } from 'react-i18next';
import { showError } from '../../../api/http/answer-errors.ts';
import { useEndSessionMutation, useEndUserSessionMutation } from '../../../api/sessions.ts';
import { Button } from '../../../components/button/button.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { useRefusal } from '../../../rights/rights.tsx';
import { whatOf } from './session-columns.tsx';

interface EndSessionButtonProps {
  session: OpenSession;
  /** The session is the user's own; other users' sessions are ended by another call. */
  isOwn: boolean;
  /** It is not open any more, and only shown. */
  hasEnded: boolean;
  /** The current session is ended by signing out. */
  onLeave: () => void;
}

/** What the button and its toast say. Nobody is signed in by an API token: it is ended, as the limit of them says it. */
const SIGN_IN = { label: 'sessions.end', labelOf: 'sessions.endOf', done: 'sessions.ended' } as const;
const API_TOKEN = { label: 'sessions.endToken', labelOf: 'sessions.endTokenOf', done: 'sessions.tokenEnded' } as const;

/** Signs a session out, or ends an API token. */
export function EndSessionButton({ session, isOwn, hasEnded, onLeave }: EndSessionButtonProps) {
  const { t } = useTranslation();
  const [endOwn, ofOwn] = useEndSessionMutation();
  const [endOfUser, ofUser] = useEndUserSessionMutation();
  const [end, { isLoading, isSuccess }] = isOwn ? [endOwn, ofOwn] : [endOfUser, ofUser];
  const refusal = useRefusal();
  const { id, kind, lastUsedOnUtc, isCurrent } = session;
  const what = whatOf(session);
  const words = kind === 'api' ? API_TOKEN : SIGN_IN;

  async function handleEnd() {
    try {
      await end({ id }).unwrap();
      notify.success(t(words.done, { what }));
    } catch (error) {
      showError(error);
    }
  }
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={t(words.labelOf, { what, moment: localMinute(new Date(lastUsedOnUtc)) })}
      // The button stays busy until the list is loaded without the session.
      loading={(isLoading || isSuccess) && !hasEnded}
      spent={hasEnded}
      refusal={isOwn ? undefined : refusal(authRoutes.endUserSession)}
      onClick={isCurrent ? onLeave : handleEnd}
    >
      {t(words.label)}
    </Button>
  );
}
