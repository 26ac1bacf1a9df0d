import { expect, test } from 'vitest';
import { formatBytes, formatCount } from './numbers.ts';

test.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [1024 ** 2, '1 MB'],
  [9_876_543, '9.4 MB'],
  [3 * 1024 ** 3, '3 GB'],
  [5000 * 1024 ** 4, '5,000 TB'],
])('%i bytes are %s [§2.13]', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('thousands are separated [§2.13]', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
});
