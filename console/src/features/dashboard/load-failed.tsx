import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/http/answer-errors.ts';
import { RetryNotice } from '../../components/notice/retry-notice.tsx';

interface LoadFailedProps {
  error: { message?: string };
  /** It is being loaded again. */
  busy: boolean;
  onRetry: () => void;
}

/** Why a part of the dashboard could not be loaded; what was loaded before stays below it. */
export function LoadFailed({ error, busy, onRetry }: LoadFailedProps) {
  const { t } = useTranslation();
  return (
    <RetryNotice retryText={t('dashboard.retry')} busy={busy} onRetry={onRetry}>
      {errorText(error)}
    </RetryNotice>
  );
}
