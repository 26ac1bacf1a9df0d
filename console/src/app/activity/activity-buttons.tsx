import type { Operation } from '@apotheca/contract/operations';
import { RotateCcw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../api/http/answer-errors.ts';
import { useCancelOperationMutation, useRetryOperationMutation } from '../../api/operations.ts';
import { Button } from '../../components/button/button.tsx';
import { operationCalls, useRefusal } from '../../rights/rights.tsx';

interface ActivityButtonsProps {
  operation: Operation;
  /** 'Clone of ACME' */
  what: string;
  /** The list is held: no button takes another one's place. */
  isHeld: boolean;
  /** The server no longer lists it. */
  isGone: boolean;
}

type Deed = 'cancel' | 'retry' | undefined;

/** Cancels an operation while that is possible, or retries one that failed or was cancelled. */
export function ActivityButtons({ operation, what, isHeld, isGone }: ActivityButtonsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, kind, cancelRequested } = operation;
  const [cancel, cancelling] = useCancelOperationMutation();
  const [retry, retrying] = useRetryOperationMutation();
  const { deed, isDone, finish } = useHeldDeed(deedOf(operation), isHeld);
  const spent = isDone || isGone;
  const common = { variant: 'secondary', size: 'small', refusal: refusal(...operationCalls(kind)), spent } as const;
  if (deed === undefined) return null;
  if (deed === 'cancel') {
    const label = t(cancelRequested && !spent ? 'activity.cancelling' : 'activity.cancel');
    return (
      <Button
        {...common}
        icon={X}
        aria-label={`${label}: ${what}`}
        loading={(cancelRequested || cancelling.isLoading) && !spent}
        onClick={() => void cancel({ id }).unwrap().catch(showError)}
      >
        {label}
      </Button>
    );
  }
  return (
    <Button
      {...common}
      icon={RotateCcw}
      aria-label={`${t('components.retry')}: ${what}`}
      loading={retrying.isLoading}
      onClick={() => void retry({ id }).unwrap().then(finish, showError)}
    >
      {t('components.retry')}
    </Button>
  );
}

/** What can be done with an operation. */
function deedOf({ state, cancellable, cancelRequested }: Operation): Deed {
  if (state === 'failed' || state === 'cancelled') return 'retry';
  return state !== 'succeeded' && (cancellable || cancelRequested) ? 'cancel' : undefined;
}

/** How long a click may be meant for what the button was for before, in milliseconds. */
const MEANT_MS = 2_000;

/**
 * What the button is for: while the list is held what it was for a moment ago, as a second click on Cancel would else be one on Retry.
 * @returns whether that is possible no more; `finish` notes that it is done
 */
function useHeldDeed(possible: Deed, isHeld: boolean) {
  const [held, setHeld] = useState({ deed: possible, isFinished: false });
  const isOther = held.deed !== possible;
  // Where there was no button, none can be pressed in its place.
  if (isOther ? !isHeld || held.deed === undefined : held.isFinished && !isHeld)
    setHeld({ deed: possible, isFinished: false });
  useEffect(() => {
    if (!isOther) return;
    const timer = setTimeout(() => setHeld({ deed: possible, isFinished: false }), MEANT_MS);
    return () => clearTimeout(timer);
  }, [isOther, possible]);
  const finish = () => setHeld(({ deed }) => ({ deed, isFinished: true }));
  return { deed: held.deed, isDone: held.isFinished || held.deed !== possible, finish };
}
