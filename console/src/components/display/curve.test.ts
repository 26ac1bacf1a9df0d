import { expect, test } from 'vitest';
import { curveOf } from './curve-points.ts';

const VALUES = [
  { day: '2026-01-05', value: 10 },
  { day: '2026-01-12', value: 20 },
  { day: '2026-01-15', value: 15 },
];

test('days stand in their distance, and one value is a level line [§2.24] [§2.5]', () => {
  expect(curveOf(VALUES).line).toBe('0,88 420,16 600,52');
  expect(curveOf(VALUES.slice(0, 1)).line).toBe('0,16 600,16');
  expect(curveOf([{ day: '2026-01-05', value: 0 }]).line).toBe('0,160 600,160');
});

test('the top is the largest value, also where there is nothing yet [§2.5]', () => {
  expect(curveOf(VALUES).top).toBe(20);
  expect(curveOf([{ day: '2026-01-05', value: 0 }]).top).toBe(0);
});
