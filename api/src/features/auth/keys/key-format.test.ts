import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isKey, makeKey, prefixOf, readKey } from './key-format.ts';

describe('an API key', () => {
  it('is letters and digits behind a prefix, with 256 random bits and a checksum [DECISIONS §13]', () => {
    const { key, publicId, hash } = makeKey();
    expect(key).toMatch(/^apk_[0-9A-Za-z]{11}_[0-9A-Za-z]{49}$/);
    expect(isKey(key)).toBe(true);
    expect(key.startsWith(prefixOf(publicId))).toBe(true);
    expect(readKey(key)).toEqual({ publicId, hash });
    expect(hash).toHaveLength(32);
  });

  it('is another one each time, and keeps its public id with a new secret [DECISIONS §13]', () => {
    const keys = Array.from({ length: 1000 }, () => makeKey());
    expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(1000);
    expect(new Set(keys.map(({ key }) => key.slice(16, 59))).size).toBe(1000);
    const rotated = makeKey(keys[0]?.publicId);
    expect(rotated.publicId).toBe(keys[0]?.publicId);
    expect(rotated.key).not.toBe(keys[0]?.key);
  });

  it('with any one character replaced, removed, doubled or swapped is none [DECISIONS §13]', () => {
    const { key } = makeKey();
    for (let at = 0; at < key.length; at += 1) {
      const [before, one = '', after] = [key.slice(0, at), key[at], key.slice(at + 1)];
      const other = one === 'x' ? 'y' : 'x';
      const mutated = [before + other + after, before + after, before + one + one + after];
      const next = after[0];
      if (next !== undefined && next !== one) mutated.push(before + next + one + after.slice(1));
      for (const text of mutated) expect(readKey(text), text).toBeUndefined();
    }
  });

  it.each(['', 'apk_', 'apk_x', `apk_${'0'.repeat(61)}`, 'eyJhbGciOiJIUzI1NiJ9.e30.x', `apk_${'é'.repeat(60)}`])(
    'is not %j [DECISIONS §13]',
    (text) => {
      expect(readKey(text)).toBeUndefined();
    },
  );

  it('is not made of random characters [DECISIONS §13]', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    const read = Array.from({ length: 1000 }, () => readKey(`apk_${random(11)}_${random(49)}`));
    expect(read.filter((key) => key !== undefined)).toEqual([]);
  });
});
