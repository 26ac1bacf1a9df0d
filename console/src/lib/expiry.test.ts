import { expect, test } from 'vitest';
import { liveOnAnotherDay } from '../testing/other-day.ts';
import { addDays, isSubscriptionExpired } from './expiry.ts';
import { localDay, utcDay } from './moment.ts';

test('a subscription is expired from the day after its end [§9]', () => {
  expect(isSubscriptionExpired('2026-11-19', '2026-11-20')).toBe(true);
  expect(isSubscriptionExpired('2026-11-20', '2026-11-20')).toBe(false);
  expect(isSubscriptionExpired('2026-11-21', '2026-11-20')).toBe(false);
  expect(isSubscriptionExpired('', '2026-11-20')).toBe(false);
});

test('the end of a subscription is a day in UTC, wherever the browser is [§9]', () => {
  liveOnAnotherDay();
  expect(isSubscriptionExpired(addDays(utcDay(), -1))).toBe(true);
  expect(isSubscriptionExpired(utcDay())).toBe(false);
});

test("a day is the calendar day in the browser's time zone, at both its ends [§9]", () => {
  expect(localDay(new Date(2026, 0, 5, 0, 0, 0))).toBe('2026-01-05');
  expect(localDay(new Date(2026, 11, 31, 23, 59, 59))).toBe('2026-12-31');
});

test('days are added over months, years, leap days and summer time [§9]', () => {
  expect(addDays('2026-12-05', 30)).toBe('2027-01-04');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-03-01', 30)).toBe('2026-03-31');
  expect(addDays('2026-11-20', -1)).toBe('2026-11-19');
});
