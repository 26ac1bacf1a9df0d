import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice/notice.tsx';
import { Checking } from '../../../operations/checking.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';

/** The call that finds out what a deletion takes along. */
export interface DeletionPlanQuery {
  data?: { message: string; result: { digest: string } };
  error?: { message?: string };
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a deletion takes along, in the server's words. */
export function DeletionPlanView({ check: { data, error, isFetching, refetch } }: { check: DeletionPlanQuery }) {
  const { t } = useTranslation();
  if (isFetching) return <Checking label={t('faqs.delete.checking')} />;
  if (error || !data) return <LoadFailed error={error} onRetry={refetch} />;
  return (
    <Notice tone="warning" role="status">
      {data.message}
    </Notice>
  );
}
