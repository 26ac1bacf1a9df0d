import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, readAccessToken, signAccessToken } from './tokens.ts';

const key = randomBytes(32);
const claims = { userId: 'user', role: 'Administrator', sessionId: 'session', tokenId: 'token' };
const issuedAt = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1000);

it('a token that was read before is read again until it expires, and by its own key only [DECISIONS §4]', async () => {
  const token = await signAccessToken(key, claims, issuedAt, ACCESS_TOKEN_SECONDS);
  for (const seconds of [0, 1, ACCESS_TOKEN_SECONDS - 1])
    expect(await readAccessToken(key, token, after(seconds))).toEqual(claims);
  for (const seconds of [ACCESS_TOKEN_SECONDS, ACCESS_TOKEN_SECONDS + 1, -61])
    expect(await readAccessToken(key, token, after(seconds))).toBeUndefined();
  expect(await readAccessToken(key, token, after(ACCESS_TOKEN_SECONDS), { expiredToo: true })).toEqual(claims);
  expect(await readAccessToken(randomBytes(32), token, issuedAt)).toBeUndefined();
  expect(await readAccessToken(key, `${token.slice(0, -4)}AAAA`, issuedAt)).toBeUndefined();
});
