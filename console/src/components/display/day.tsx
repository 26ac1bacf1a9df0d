import { localDay, zonedMinute } from '../../lib/moment.ts';

/** The calendar day of a moment, with the time as its tooltip. */
export function Day({ moment }: { moment: string }) {
  const date = new Date(moment);
  return (
    <time className="num text-muted" dateTime={moment} title={zonedMinute(date)}>
      {localDay(date)}
    </time>
  );
}
