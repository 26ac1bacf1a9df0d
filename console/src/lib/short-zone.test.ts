import { expect, test } from 'vitest';
import { shortZone } from './short-zone.ts';

test.each([
  ['(UTC-06:00) Central Time (Chicago)', 'Central (Chicago)'],
  ['(UTC-10:00) Hawaii-Aleutian Standard Time (Honolulu)', 'Hawaii-Aleutian (Honolulu)'],
  ['(UTC+01:00) Central European Time (Vienna)', 'Central European (Vienna)'],
  ['(UTC+00:00) UTC', 'UTC'],
  ['Somewhere else', 'Somewhere else'],
])('%s is %s in a column [§2.6]', (zone, short) => {
  expect(shortZone(zone)).toBe(short);
});
