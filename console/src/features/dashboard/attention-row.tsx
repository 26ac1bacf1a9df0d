import type { TFunction } from 'i18next';
import { Clock, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '../../components/display/badge.tsx';
import type { EndingTenant } from './attention.ts';

/** After more days than this, a date is clearer than a number of days. */
const DAYS_COUNTED = 90;

const reasonText = (t: TFunction, day: string, daysLeft: number): string => {
  if (daysLeft < -DAYS_COUNTED) return t('dashboard.attention.endedOn', { day });
  return daysLeft < 0
    ? t('dashboard.attention.ended', { count: -daysLeft })
    : t('dashboard.attention.ends', { count: daysLeft });
};

/** A tenant whose subscription has ended or ends soon, with a link to it. */
export function AttentionRow({ tenant, daysLeft, to }: EndingTenant & { to: string }) {
  const { t } = useTranslation();
  const nameId = useId();
  const hasEnded = daysLeft < 0;
  const Icon = hasEnded ? TriangleAlert : Clock;
  return (
    <li>
      <Icon className="icon" aria-hidden="true" />
      <span className="attention-what">
        <b id={nameId}>{tenant.customerCode}</b> <span>{reasonText(t, tenant.subscriptionEndDate, daysLeft)}</span>
      </span>
      <Badge tone={hasEnded ? 'danger' : 'warning'}>
        {hasEnded ? t('dashboard.attention.expired') : t('dashboard.attention.expiring')}
      </Badge>
      <Link to={to} aria-describedby={nameId}>
        {t('dashboard.attention.open')}
      </Link>
    </li>
  );
}
