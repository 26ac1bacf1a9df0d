import { useTranslation } from 'react-i18next';
import { RetryNotice } from '../components/notice/retry-notice.tsx';

/** Why a dialog has nothing to show, and the way to try again. */
export function LoadError({ message, onRetry }: { message?: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <RetryNotice retryText={t('databases.modal.retry')} onRetry={onRetry}>
      {message ?? t('session.errors.unknown')}
    </RetryNotice>
  );
}
