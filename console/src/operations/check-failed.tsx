import { useTranslation } from 'react-i18next';
import { errorText } from '../api/http/answer-errors.ts';
import { RetryNotice } from '../components/notice/retry-notice.tsx';

interface CheckFailedProps {
  error: { message?: string; status?: unknown } | undefined;
  /** It is being asked again. */
  busy: boolean;
  onRetry: () => void;
}

/** Why a load failed, and a way to try again; a conflict is a warning, as nothing is broken. */
export function CheckFailed({ error, busy, onRetry }: CheckFailedProps) {
  const { t } = useTranslation();
  const tone = error?.status === 409 ? 'warning' : 'danger';
  return (
    <RetryNotice retryText={t('tenants.modal.retry')} tone={tone} busy={busy} onRetry={onRetry}>
      {errorText(error ?? {})}
    </RetryNotice>
  );
}
