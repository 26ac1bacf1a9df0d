import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { type Answer, useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const GUESS = 'guessed-pass-4711';

/** Makes every kind of call that uses a secret. @returns the error replies, and every secret in every form in which it could appear */
async function useSecrets(): Promise<{ failures: Answer[]; secrets: string[] }> {
  const account = await insertAccount(test);
  const pair = await signInTo(test, account);
  const { accessToken: apiToken } = (
    await test.call(authRoutes.generateToken, { token: pair.accessToken, body: { name: 'report', minutes: 5 } })
  ).result;
  const newer = (await test.call(authRoutes.refresh, { token: null, body: pair })).result.accessToken;
  test.clock.advance(31);
  const failures = [
    await test.signIn(account.userName, GUESS),
    await test.signIn(account.userName, `${GUESS}, much longer than allowed`),
    await test.call(authRoutes.authenticate, { token: null, body: { password: GUESS } }),
    await test.call(authRoutes.refresh, { token: null, body: { ...pair, refreshToken: [pair.refreshToken] } }),
    await test.call(tenantRoutes.delete, { token: apiToken }),
    await test.call(authRoutes.refresh, { token: null, body: pair }),
    await test.call(authRoutes.me, { token: newer }),
    await test.call(authRoutes.logout, { token: null, body: { refreshToken: pair.refreshToken.repeat(9) } }),
  ];
  await test.call(authRoutes.logout, { token: null, body: { refreshToken: pair.refreshToken } });
  const { rows } = await sql<{ passwordHash: string; refreshTokenHash: Buffer }>`
    select u.password_hash, s.refresh_token_hash from sessions s join users u on u.id = s.user_id
    where s.user_id = ${account.id} and s.kind = 'console'`.execute(test.context.platform);
  const [{ passwordHash, refreshTokenHash } = { passwordHash: '', refreshTokenHash: Buffer.alloc(0) }] = rows;
  const hashes = [
    passwordHash,
    ...(['hex', 'base64', 'base64url'] as const).map((form) => refreshTokenHash.toString(form)),
  ];
  const signatures = [pair.accessToken, newer, apiToken].map((token) => token.split('.')[2] ?? '');
  return { failures, secrets: [ADMINISTRATOR.password, GUESS, pair.refreshToken, ...signatures, ...hashes] };
}

describe('passwords, tokens and their hashes', () => {
  it('appear in no error reply and no audit entry [DECISIONS §12]', async () => {
    const { failures, secrets } = await useSecrets();
    expect(failures.map(({ status }) => status)).toEqual([401, 400, 400, 400, 403, 401, 401, 400]);
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    const { rows: entries } = await sql`select row_to_json(e)::text as entry, e.action from audit_entries e`.execute(
      test.context.platform,
    );
    expect(entries.length).toBeGreaterThan(4);
    const shown = JSON.stringify([failures, entries]);
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  });
});
