import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { Badge } from '../../components/display/badge.tsx';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { localDay } from '../../lib/expiry.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { type EndingTenant, endingTenants } from './attention.ts';
import { AttentionRow } from './attention-row.tsx';

const ROWS_SHOWN = 8;

interface NeedsAttentionProps {
  /** The address of a tenant's page. */
  tenantLink: (code: string) => string;
  /** Address of the whole tenants list. */
  allLink: string;
}

/** The subscriptions that have ended or end soon; those that ended longest ago come first. */
export function NeedsAttention({ tenantLink, allLink }: NeedsAttentionProps) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListTenantsQuery(
    { sortColumn: 'subscriptionEndDate', sortDirection: 'asc' },
    { refetchOnMountOrArgChange: true },
  );
  useErrorToast(error);
  const ending = data && endingTenants(data, localDay());
  const count = ending && ending.length > 0 && <Badge tone="danger">{ending.length}</Badge>;
  return (
    <Card title={t('dashboard.attention.title')} actions={count} flush className="attention">
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {ending && <AttentionList ending={ending} tenantLink={tenantLink} allLink={allLink} />}
      {!ending && !error && <Loading />}
    </Card>
  );
}

function AttentionList({ ending, tenantLink, allLink }: NeedsAttentionProps & { ending: EndingTenant[] }) {
  const { t } = useTranslation();
  if (ending.length === 0) return <EmptyState icon={CircleCheck} text={t('dashboard.attention.none')} />;
  const more = ending.length - ROWS_SHOWN;
  return (
    <>
      <ul className="attention-list">
        {ending.slice(0, ROWS_SHOWN).map((entry) => (
          <AttentionRow key={entry.tenant.id} {...entry} to={tenantLink(entry.tenant.code)} />
        ))}
      </ul>
      {more > 0 && (
        <Link to={allLink} className="attention-more">
          {t('dashboard.attention.more', { count: more })}
        </Link>
      )}
    </>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className="attention-loading" role="status">
      <span className="visually-hidden">{t('dashboard.attention.loading')}</span>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  );
}
