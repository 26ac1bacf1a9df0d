import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { expiryText } from '../../lib/expiry.ts';

interface ExpiryDateProps {
  day: string;
  /** The last day as it counts; absent: that day. */
  lastDay?: string;
}

/** A subscription's end day; once it is over, in red and with an icon and words (SPEC §9). */
export function ExpiryDate({ day, lastDay = day }: ExpiryDateProps) {
  const { t } = useTranslation();
  const text = expiryText(t, day, lastDay);
  if (text === '') return <span className="num">{day}</span>;
  return (
    <span className="num expired-day" title={text}>
      <TriangleAlert className="icon" aria-hidden="true" /> <span className="visually-hidden">{text}</span> {day}
    </span>
  );
}
