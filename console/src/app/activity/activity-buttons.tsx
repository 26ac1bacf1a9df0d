import type { Operation } from '@apotheca/contract/operations';
import { RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../api/http/answer-errors.ts';
import { useCancelOperationMutation, useRetryOperationMutation } from '../../api/operations.ts';
import { Button } from '../../components/button/button.tsx';
import { operationCalls, useRefusal } from '../../rights/rights.tsx';

interface ActivityButtonsProps {
  operation: Operation;
  /** 'Clone of ACME' */
  what: string;
}

/** Cancels an operation while that is possible, or retries one that failed or was cancelled. */
export function ActivityButtons({ operation, what }: ActivityButtonsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { id, kind, state, cancellable, cancelRequested } = operation;
  const [cancel, cancelling] = useCancelOperationMutation();
  const [retry, retrying] = useRetryOperationMutation();
  const isUnderWay = state === 'queued' || state === 'running';
  const common = { variant: 'secondary', size: 'small', refusal: refusal(...operationCalls(kind)) } as const;
  if (isUnderWay && (cancellable || cancelRequested)) {
    const label = t(cancelRequested ? 'activity.cancelling' : 'activity.cancel');
    return (
      <Button
        {...common}
        icon={X}
        aria-label={`${label}: ${what}`}
        loading={cancelRequested || cancelling.isLoading}
        onClick={() => void cancel({ id }).unwrap().catch(showError)}
      >
        {label}
      </Button>
    );
  }
  if (state !== 'failed' && state !== 'cancelled') return null;
  return (
    <Button
      {...common}
      icon={RotateCcw}
      aria-label={`${t('components.retry')}: ${what}`}
      loading={retrying.isLoading}
      onClick={() => void retry({ id }).unwrap().catch(showError)}
    >
      {t('components.retry')}
    </Button>
  );
}
