import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../components/display/badge.tsx';
import { standingToday } from '../standing.ts';

/** What the end of a tenant's subscription has closed. That it is deactivated stands in a column of its own. */
export function StandingBadge({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  const { state, access } = standingToday(tenant);
  if (state === 'deactivated') return null;
  if (state === 'grace') return <Badge tone="warning">{t('tenants.standing.grace')}</Badge>;
  if (access === 'open') return null;
  return (
    <Badge tone="danger">{t(access === 'closed' ? 'tenants.standing.expired' : 'tenants.standing.read-only')}</Badge>
  );
}
