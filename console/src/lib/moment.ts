// The one place that writes moments and days, so that they are alike everywhere: YYYY-MM-DD HH:MM, in the time zone of the
// browser, which is where the person is.
import { shownLocale } from '../locales/formats.ts';

const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** The calendar day of a moment in the browser's time zone, as YYYY-MM-DD. */
export const localDay = (moment: Date = new Date()): string =>
  `${String(moment.getFullYear()).padStart(4, '0')}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;

/** The calendar day in UTC, by which subscriptions begin and end, and snoozes end, as YYYY-MM-DD. */
export const utcDay = (moment: Date = new Date()): string => moment.toISOString().slice(0, 10);

/** A moment in the browser's time zone, as YYYY-MM-DD HH:MM. */
export const localMinute = (moment: Date): string =>
  `${localDay(moment)} ${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;

/** A moment with its time zone, for where it may be read elsewhere or beside times of another zone: '2026-03-04 10:30 UTC+01:00'. */
export const zonedMinute = (moment: Date): string => `${localMinute(moment)} ${offsetOf(moment)}`;

/** The same to the second: '2026-03-04 10:30:07 UTC+01:00'. */
export const zonedSecond = (moment: Date): string =>
  `${localField(moment, 'second').replace('T', ' ')} ${offsetOf(moment)}`;

/** The browser's time zone at a moment: 'UTC', 'UTC-03:30'. */
export function offsetOf(moment: Date): string {
  const east = -moment.getTimezoneOffset();
  if (east === 0) return 'UTC';
  const minutes = Math.abs(east);
  return `UTC${east < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** A moment as a field of type datetime-local has it, in the browser's time zone. @param step whether the field has seconds */
export const localField = (moment: Date, step: 'minute' | 'second' = 'minute'): string =>
  localMinute(moment).replace(' ', 'T') + (step === 'second' ? `:${twoDigits(moment.getSeconds())}` : '');

/** The id of the browser's time zone, 'Europe/Madrid'. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The weekday and time in a time zone, as the language writes them; undefined where the browser does not know the zone. */
export function timeIn(timeZone: string, now: Date): string | undefined {
  try {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(shownLocale(), { timeZone, ...parts }).format(now);
  } catch {
    // The server's zones are those of its own library.
    return undefined;
  }
}

/**
 * Reads the name of a time zone on a day, in a language.
 * @throws RangeError where the browser does not know the zone
 */
export function zoneNames(
  timeZone: string,
  timeZoneName: 'long' | 'short' | 'longGeneric' | 'shortGeneric',
  locale: string,
) {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });
  return (day: Date): string => format.formatToParts(day).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
