import { expect, test, vi } from 'vitest';
import { readItem, removeItem, writeItem } from './local-storage.ts';

test('keeps texts by key', () => {
  writeItem('a', '1');
  expect(readItem('a')).toBe('1');
  removeItem('a');
  expect(readItem('a')).toBeNull();
});

test('forbidden storage is empty and throws nothing [§4]', () => {
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  writeItem('a', '1');
  removeItem('a');
  expect(readItem('a')).toBeNull();
});

test('a text that does not fit leaves no outdated one behind [§4]', () => {
  writeItem('a', 'old');
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  writeItem('a', 'new');
  expect(readItem('a')).toBeNull();
});
