import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { timeIn } from '../../../lib/moment.ts';

/** How often the time is looked at, in milliseconds. */
const TICK = 10_000;

/** The present time of a time zone; nothing where the browser does not know the zone. */
export function ZoneTime({ zone }: { zone: string }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK);
    return () => clearInterval(timer);
  }, []);
  const time = timeIn(zone, now);
  if (time === undefined) return null;
  return <span className="num text-muted">{t('tenants.page.summary.localTime', { time })}</span>;
}
