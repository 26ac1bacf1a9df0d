import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { Button } from '../../../components/button/button.tsx';
import type { SessionDispatch } from '../../../session/session-slice.ts';
import type { useSessionBegin } from './use-session-begin.ts';

interface PasskeyButtonProps {
  /** Of the sign-in that the passkey is the second step of; absent: it is the only step. */
  token?: string;
  label?: string;
  sign: Pick<ReturnType<typeof useSessionBegin>, 'begin' | 'refuse' | 'whileLoading' | 'isLoading'>;
}

/** Signs in with a passkey. What speaks to the authenticator is loaded by the click. */
export function PasskeyButton({ token, label, sign }: PasskeyButtonProps) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();

  async function handleClick() {
    const answer = await sign.whileLoading(async () => {
      const part = await import('./sign-in-with-passkey.ts').catch(() => undefined);
      if (part) return await dispatch(part.signInWithPasskey(token));
      return { result: undefined, error: { status: 0, message: t('session.passkey.notLoaded') } };
    });
    if (answer === undefined) return;
    if (answer.result) sign.begin(answer.result);
    else sign.refuse(answer.error);
  }
  return (
    <Button
      className="passkey-button"
      variant="secondary"
      size="large"
      block
      icon={KeyRound}
      loading={sign.isLoading}
      onClick={handleClick}
    >
      {label ?? t('login.passkey')}
    </Button>
  );
}
