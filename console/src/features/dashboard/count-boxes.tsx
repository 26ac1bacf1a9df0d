import { Building2, Database, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGetCountsQuery } from '../../api/dashboard.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { CountBox } from './count-box.tsx';

interface CountBoxesProps {
  /** Where each box leads. */
  links: { users: string; tenants: string; databases: string };
}

/** User registrations, tenants and databases (SPEC §2.5). */
export function CountBoxes({ links }: CountBoxesProps) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useGetCountsQuery(undefined, { refetchOnMountOrArgChange: true });
  // The spec's answer is a list; its first item has the counts.
  const counts = data?.[0];
  if (isError && !counts) {
    const retry = (
      <Button variant="secondary" size="small" loading={isFetching} onClick={refetch}>
        {t('dashboard.retry')}
      </Button>
    );
    return (
      <Notice tone="danger" role="alert" action={retry}>
        {t('dashboard.failed')}
      </Notice>
    );
  }
  return (
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
  );
}
