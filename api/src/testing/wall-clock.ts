/** What the clock on a wall shows in a time zone, as the runtime's own data have it: tests compare PostgreSQL's with it. */
export interface WallClock {
  /** YYYY-MM-DD */
  day: string;
  hour: number;
  minute: number;
  /** 1 is Monday. */
  weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** What was found before, by zone and moment: the runtime takes long for it. */
const found = new Map<string, WallClock>();

export function wallClock(at: Date, timeZone: string): WallClock {
  const key = `${timeZone} ${at.getTime()}`;
  const clock = found.get(key) ?? readWallClock(at, timeZone);
  found.set(key, clock);
  return clock;
}

function readWallClock(at: Date, timeZone: string): WallClock {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${parts.year}-${parts.month}-${parts.day}`;
  return {
    day,
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    weekday: new Date(`${day}T12:00:00Z`).getUTCDay() || 7,
  };
}

/** The Monday of a day's week, YYYY-MM-DD. */
export function mondayOf({ day, weekday }: WallClock): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - (weekday - 1) * 86_400_000).toISOString().slice(0, 10);
}
