import { expect, test } from 'vitest';
import { formatDuration } from './duration.ts';

test.each([
  [0, 'less than a second'],
  [-3, 'less than a second'],
  [0.9, 'less than a second'],
  [1, '1 s'],
  [12.4, '12 s'],
  [59.7, '1 min 0 s'],
  [125, '2 min 5 s'],
  [3600, '1 h 0 min'],
  [90_061, '25 h 1 min'],
])('%d seconds are %s [DECISIONS §8]', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
