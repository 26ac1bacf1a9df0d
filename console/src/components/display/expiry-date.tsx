import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isSubscriptionExpired } from '../../lib/expiry.ts';

/** A subscription's end day; once it is over, in red and with an icon and a word (SPEC §9). */
export function ExpiryDate({ day }: { day: string }) {
  const { t } = useTranslation();
  if (!isSubscriptionExpired(day)) return <span className="num">{day}</span>;
  return (
    <span className="num expired-day">
      <TriangleAlert className="icon" aria-hidden="true" />{' '}
      <span className="visually-hidden">{t('components.expired')}</span> {day}
    </span>
  );
}
