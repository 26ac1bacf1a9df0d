import { localMinute } from '../../lib/expiry.ts';

/** A moment as day and time in the browser's time zone. */
export function Moment({ moment }: { moment: string }) {
  const date = new Date(moment);
  return (
    <time className="num text-muted" dateTime={moment} title={date.toLocaleString()}>
      {localMinute(date)}
    </time>
  );
}
