import { describe, expect, test, vi } from 'vitest';
import { makeToken } from '../testing/session.ts';
import { decodeToken, InvalidTokenError, isExpired } from './token.ts';

describe('decodeToken', () => {
  test('reads the middle part, base64url and UTF-8 included [§4]', () => {
    const token = makeToken(60, { name: 'Ægir Øst-Müller 王 💊', sub: '~~~???>>>' });
    expect(token.split('.')[1]).toMatch(/^[\w-]+$/);
    expect(decodeToken(token)).toMatchObject({ name: 'Ægir Øst-Müller 王 💊', sub: '~~~???>>>' });
  });

  test('reads a payload with base64 padding as well [§4]', () => {
    expect(decodeToken(`h.${btoa('{"exp":1}')}.s`)).toEqual({ exp: 1 });
  });

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['an object', { exp: 1 }],
    ['an empty text', ''],
    ['one part only', 'header'],
    ['an empty middle part', 'header..signature'],
    ['bad base64', 'header.%%%.signature'],
    ['base64 of an impossible length', 'header.abcde.signature'],
    ['bytes that are no UTF-8', `header.${btoa('\xff\xfe')}.signature`],
    ['bad JSON', `header.${btoa('{exp:')}.signature`],
    ['JSON that is no object', `header.${btoa('12')}.signature`],
    ['JSON null', `header.${btoa('null')}.signature`],
  ])('throws InvalidTokenError for %s [§4]', (_what, token) => {
    expect(() => decodeToken(token)).toThrow(InvalidTokenError);
  });
});

describe('isExpired', () => {
  test('is true from the named second on [§9]', () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    expect(isExpired(1_000_001)).toBe(false);
    expect(isExpired(1_000_000)).toBe(true);
    expect(isExpired(999_999)).toBe(true);
    vi.useRealTimers();
  });

  test('adds the offset to the local clock [§9]', () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    expect(isExpired(1_000_301, 300)).toBe(false);
    expect(isExpired(1_000_300, 300)).toBe(true);
    expect(isExpired(999_000, -86_400)).toBe(false);
    vi.useRealTimers();
  });
});
