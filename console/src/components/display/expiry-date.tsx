import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isSubscriptionExpired } from '../../lib/expiry.ts';

/** A subscription's end day; in red, with a sign and a word beside the colour, once it is over (SPEC §9). */
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
