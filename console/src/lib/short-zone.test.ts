import { expect, test } from 'vitest';
import { shortZone } from './short-zone.ts';

test.each([
  ['(UTC-06:00) America/Chicago', 'Central (Chicago)'],
  ['(UTC-08:00) America/Los_Angeles', 'Pacific (Los Angeles)'],
  ['(UTC-10:00) Pacific/Honolulu', 'Hawaii-Aleutian (Honolulu)'],
  ['(UTC+01:00) Europe/Paris', 'Central European (Paris)'],
  ['Somewhere else', 'Somewhere else'],
])('%s is %s in a column [§2.6]', (zone, short) => {
  expect(shortZone(zone)).toBe(short);
});
