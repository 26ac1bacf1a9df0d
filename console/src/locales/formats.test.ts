import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '../app/language.ts';
import { formatAgo } from '../lib/ago.ts';
import { formatDuration } from '../lib/duration.ts';
import { formatBytes, formatCount, formatTenths } from '../lib/numbers.ts';
import { formatList } from './formats.ts';

const NOON = new Date('2026-03-04T12:00:00Z');

const written = () => [
  formatCount(1_234_567),
  formatBytes(9_876_543),
  formatTenths(2),
  formatList(['1', '2', '3']),
  formatDuration(0),
  formatAgo('2026-03-04T12:00:00Z', NOON),
  formatAgo('2026-03-04T11:59:00Z', NOON),
  formatAgo('2026-03-04T10:00:00Z', NOON),
  formatAgo('2026-03-01T12:00:00Z', NOON),
];

afterEach(() => setLanguage('en'));

it('numbers, lists and durations are written as the language has them, also after a change of it [§1]', async () => {
  const english = written();
  expect(english.slice(0, 4)).toEqual(['1,234,567', '9.4 MB', '2.0', '1, 2 and 3']);
  await setLanguage('es');
  expect(written()).toEqual([
    '1.234.567',
    '9,4 MB',
    '2,0',
    '1, 2 y 3',
    'menos de un segundo',
    'ahora mismo',
    'hace 1 min',
    'hace 2 h',
    'hace 3 días',
  ]);
  await setLanguage('en');
  expect(written()).toEqual(english);
});
