import { CalendarPlus, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { expiryText, isSubscriptionExpired } from '../../lib/expiry.ts';

interface ExpiryDateProps {
  day: string;
  /** The last day as it counts; absent: that day. */
  lastDay?: string;
}

/**
 * A subscription's end day; once it is over, in red and with an icon and words (SPEC §9). The words of one that was put off stand below,
 * as it is no expired one.
 */
export function ExpiryDate({ day, lastDay = day }: ExpiryDateProps) {
  const { t } = useTranslation();
  const text = expiryText(t, day, lastDay);
  if (text === '') return <span className="num">{day}</span>;
  if (!isSubscriptionExpired(lastDay)) {
    return (
      <span title={text}>
        <span className="num expired-day">
          <CalendarPlus className="icon" aria-hidden="true" /> {day}
        </span>{' '}
        <span className="put-off">{text}</span>
      </span>
    );
  }
  return (
    <span className="num expired-day" title={text}>
      <TriangleAlert className="icon" aria-hidden="true" /> <span className="visually-hidden">{text}</span> {day}
    </span>
  );
}
