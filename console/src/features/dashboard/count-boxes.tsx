import { Building2, Database, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGetCountsQuery } from '../../api/dashboard.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';
import { CountBox } from './count-box.tsx';

interface CountBoxesProps {
  /** The address to which each box leads. */
  links: { users: string; tenants: string; databases: string };
}

/** User registrations, tenants and databases (SPEC §2.5). */
export function CountBoxes({ links }: CountBoxesProps) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useGetCountsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    ...KEPT_FRESH,
  });
  useErrorToast(error);
  // The spec's answer is a list; its first item holds the counts.
  const counts = unlessForbidden(data, error)?.[0];
  const failure = error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  if (failure && !counts) return failure;
  return (
    <>
      {failure}
      <section className="count-boxes" aria-label={t('dashboard.counts')} aria-busy={!counts}>
        <CountBox label={t('dashboard.users')} count={counts?.users} icon={UserPlus} tone="info" to={links.users} />
        <CountBox
          label={t('dashboard.tenants')}
          count={counts?.tenants}
          icon={Building2}
          tone="success"
          to={links.tenants}
        />
        <CountBox
          label={t('dashboard.databases')}
          count={counts?.databases}
          icon={Database}
          tone="warning"
          to={links.databases}
        />
      </section>
    </>
  );
}
