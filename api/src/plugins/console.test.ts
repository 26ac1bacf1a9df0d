import { expect, test } from 'vitest';
import { decodable } from './console.ts';

test.each([
  ['/faq/50%/x', '/faq/50%25/x'],
  ['/faq/%E0%A4%A/x?q=50%', '/faq/%25E0%25A4%25A/x?q=50%'],
  ['/api/%zz', '/api/%25zz'],
])('%s, which cannot be decoded, is passed to the router as %s [§2.1]', (url, taken) => {
  expect(decodable(url)).toBe(taken);
  expect(() => decodeURIComponent(taken.split('?')[0] ?? '')).not.toThrow();
});

test.each(['/faq/50%25/x', '/api/tenant/get?sortColumn=%zz', '/', '/faq/caf%C3%A9/1'])(
  '%s stays as it is [§2.1]',
  (url) => {
    expect(decodable(url)).toBe(url);
  },
);
