import { expect, test } from 'vitest';
import { formatAgo } from './ago.ts';

test.each([
  ['2026-03-04T12:00:01Z', 'just now'],
  ['2026-03-04T11:59:01Z', 'just now'],
  ['2026-03-04T11:59:00Z', '1 min ago'],
  ['2026-03-04T11:00:01Z', '59 min ago'],
  ['2026-03-04T11:00:00Z', '1 h ago'],
  ['2026-03-02T12:00:01Z', '47 h ago'],
  ['2026-03-02T12:00:00Z', '2 days ago'],
  ['2025-03-04T12:00:00Z', '365 days ago'],
])('%s was %s at noon [DECISIONS §13]', (moment, text) => {
  expect(formatAgo(moment, new Date('2026-03-04T12:00:00Z'))).toBe(text);
});
