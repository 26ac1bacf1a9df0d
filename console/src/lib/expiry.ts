import type { TFunction } from 'i18next';
import { localDay, utcDay } from './moment.ts';

/**
 * The calendar day a number of days later. Counts days instead of hours, so that a change to summer time does not shift
 * it.
 * @param day YYYY-MM-DD
 */
export const addDays = (day: string, days: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return localDay(new Date(year, month - 1, date + days));
};

const DAY_MS = 86_400_000;

/** Whole days from one calendar day to another (YYYY-MM-DD); negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/**
 * True when a subscription has ended: its end day is before today in UTC (SPEC §9), as the server counts. A subscription without
 * an end day never ends.
 * @param endDay YYYY-MM-DD
 */
export const isSubscriptionExpired = (endDay: string, today: string = utcDay()): boolean =>
  endDay !== '' && endDay < today;

/**
 * What is said of a subscription whose end day is over: that it has expired, or to which day that was put off; of any other, nothing.
 * @param lastDay the last day as it counts: the end day, or a later one to which it was put off
 */
export function expiryText(t: TFunction, endDay: string, lastDay: string, today: string = utcDay()): string {
  if (!isSubscriptionExpired(endDay, today)) return '';
  return isSubscriptionExpired(lastDay, today) ? t('components.expired') : t('components.putOff', { day: lastDay });
}
