import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice/notice.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';

/** The call that answers the plan of a deletion. */
export interface DeletionPlanQuery {
  data?: { message: string; result: { digest: string } };
  error?: { message?: string };
  isFetching: boolean;
  refetch: () => unknown;
}

/** The plan of a deletion, in the server's words. */
export function DeletionPlanView({ planQuery }: { planQuery: DeletionPlanQuery }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = planQuery;
  if (isFetching) return <LoadingText>{t('faqs.delete.loadingPlan')}</LoadingText>;
  if (error || !data) return <LoadFailed error={error} onRetry={refetch} />;
  return (
    <Notice tone="warning" role="status">
      {data.message}
    </Notice>
  );
}
