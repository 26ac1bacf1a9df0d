const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Adds days to a date. Both dates are ISO dates such as '2026-01-31'. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The date itself if it is a Monday, else the next Monday. */
export function mondayFrom(date: string): string {
  return addDays(date, (8 - new Date(date).getUTCDay()) % 7);
}

/** A moment: `minutes` after midnight UTC. A clinic on the American east coast is open from 840 (14:00) to 1320 (22:00). */
export function momentOn(date: string, minutes: number): string {
  return new Date(Date.parse(date) + minutes * MINUTE_MS).toISOString();
}

export function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * MINUTE_MS).toISOString();
}

/** A date as athenahealth writes it, '01/31/2026'. */
export function usDate(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year}`;
}
