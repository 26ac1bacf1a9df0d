import { Clock, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import type { EndingTenant } from './attention.ts';

/** A tenant with what is the matter, and the way to it. */
export function AttentionRow({ tenant, daysLeft, to }: EndingTenant & { to: string }) {
  const { t } = useTranslation();
  const nameId = useId();
  const hasEnded = daysLeft < 0;
  const Icon = hasEnded ? TriangleAlert : Clock;
  const reason = hasEnded
    ? t('dashboard.attention.ended', { count: -daysLeft })
    : t('dashboard.attention.ends', { count: daysLeft });
  return (
    <li>
      <Icon className="icon" aria-hidden="true" />
      <span className="attention-what">
        <b id={nameId}>{tenant.customerCode}</b> <span>{reason}</span>
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
