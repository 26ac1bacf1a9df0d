import { authRoutes } from '@apotheca/contract/auth';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { recoveryRoutes } from '@apotheca/contract/recovery';
import type { ContractRoute } from '@apotheca/contract/route';
import { describe, expect, it } from 'vitest';
import { useTestApp } from './testing/app.ts';
import { processorTime } from './testing/processor-time.ts';
import { urlOf } from './testing/routes.ts';

const test = useTestApp();
const MEBIBYTE = 1024 * 1024;
/** How much more a hostile call may take than a plain one; what grows with the square of its length takes thousands of times as much. */
const MUCH = 30;

describe("a provider's form", () => {
  const send = (payload: string) =>
    test.app.inject({
      method: 'POST',
      url: urlOf(openIdConnectRoutes.providerSignOut),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });

  it('is read with the longest logout token that the contract takes', async () => {
    const sent = (length: number) => send(`logout_token=${'x'.repeat(length)}`);
    expect((await sent(16_384)).json()).toMatchObject({ status: 400, message: 'This logout token is not valid.' });
    expect((await sent(16_385)).json()).toMatchObject({ status: 400, message: 'logout_token is too long' });
  });

  it('of 64 KiB is not read', async () => {
    expect((await send('a&'.repeat(32 * 1024))).statusCode).toBe(413);
  });
});

describe('a password of 1 MiB', () => {
  const TOO_LONG = ['Must be 30 characters or less'];
  // Composing orders the marks by their classes, for which it compares each with those before it.
  const password = (bytes: number) => `a${'\u0301\u0323'.repeat((bytes - 100) / 4)}`;
  const signIn = (sent: string) => ({ username: 'nobody.there', password: sent });
  const recover = (sent: string) => ({ token: 'x', password: sent, confirmPassword: sent });
  const calls: [string, ContractRoute, (sent: string) => object, number][] = [
    ['a sign-in', authRoutes.authenticate, signIn, 1],
    ['choosing a new password', recoveryRoutes.recover, recover, 2],
  ];

  it.each(calls)('is no more work than one that is tried, for %s', async (_, route, bodyOf, copies) => {
    await test.call(route, { token: null, body: bodyOf('wrong horse') });
    const plain = await processorTime(() =>
      test.call(authRoutes.authenticate, { token: null, body: signIn('wrong horse') }),
    );
    // The smaller ones come first, so that a failure takes no minutes.
    for (const bytes of [MEBIBYTE / 16, MEBIBYTE / 4, MEBIBYTE]) {
      const body = bodyOf(password(bytes / copies));
      const hostile = await processorTime(async () => {
        const answer = await test.call(route, { token: null, body });
        expect(answer).toMatchObject({ status: 400, errors: { password: TOO_LONG } });
      });
      expect(hostile, `${bytes} bytes`).toBeLessThan(plain * MUCH);
    }
  });
});
