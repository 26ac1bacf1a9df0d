import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/http/answer-errors.ts';
import { Notice } from '../../../components/notice/notice.tsx';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';

/** The call that finds out what a deletion takes along. */
export interface DeletionCheck {
  data?: { message: string; result: { digest: string } };
  error?: { message?: string };
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a deletion takes along, in the server's words. */
export function DeletionOutlook({ check: { data, error, isFetching, refetch } }: { check: DeletionCheck }) {
  const { t } = useTranslation();
  if (isFetching) {
    return (
      <p className="faq-checking" role="status">
        <Spinner />
        {t('faqs.delete.checking')}
      </p>
    );
  }
  if (error || !data) {
    return (
      <RetryNotice retryText={t('faqs.retry')} onRetry={refetch}>
        {errorText(error ?? {})}
      </RetryNotice>
    );
  }
  return (
    <Notice tone="warning" role="status">
      {data.message}
    </Notice>
  );
}
