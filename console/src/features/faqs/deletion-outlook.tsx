import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/answer-errors.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';

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
    const retry = (
      <Button variant="secondary" size="small" onClick={refetch}>
        {t('faqs.retry')}
      </Button>
    );
    return (
      <Notice tone="danger" role="alert" action={retry}>
        {errorText(error ?? {})}
      </Notice>
    );
  }
  return (
    <Notice tone="warning" role="status">
      {data.message}
    </Notice>
  );
}
