import { localMinute, zonedMinute } from '../../lib/moment.ts';

interface MomentProps {
  moment: string;
  /** Names the time zone beside the moment and not only in its tooltip: where times of another zone stand near. */
  zoned?: boolean;
}

/** A moment as day and time in the browser's time zone. */
export function Moment({ moment, zoned = false }: MomentProps) {
  const date = new Date(moment);
  return (
    <time className="num text-muted" dateTime={moment} title={zonedMinute(date)}>
      {zoned ? zonedMinute(date) : localMinute(date)}
    </time>
  );
}
