import { authRoutes } from '@apotheca/contract/auth';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();

const logout = (refreshToken: string) => test.call(authRoutes.logout, { token: null, body: { refreshToken } });
const statusOf = async (token: string) => (await test.call(authRoutes.me, { token })).status;

const auditOf = (accessToken: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'actorId', 'actorName', 'entity', 'address'])
    .where('entityId', '=', String(decodeJwt(accessToken).sid))
    .execute();

describe('POST /auth/logout', () => {
  it('ends the session at once, for access and refresh token [§4]', async () => {
    const { accessToken, refreshToken } = await signInTo(test, await insertAccount(test));
    expect(await statusOf(accessToken)).toBe(200);
    expect(await logout(refreshToken)).toMatchObject({
      status: 200,
      success: true,
      message: 'Signed out.',
      result: null,
    });
    expect(await statusOf(accessToken)).toBe(401);
    const refresh = await test.call(authRoutes.refresh, { token: null, body: { accessToken, refreshToken } });
    expect(refresh).toMatchObject({ status: 401, message: 'Your session has expired. Please login again.' });
    const session = test.context.platform.selectFrom('sessions').select(['revokedAt', 'revokedReason']);
    const row = await session.where('id', '=', String(decodeJwt(accessToken).sid)).executeTakeFirst();
    expect(row).toEqual({ revokedAt: test.clock.now, revokedReason: 'sign-out' });
  });

  it('succeeds twice, also twice at once, and is noted once [§7.1]', async () => {
    const account = await insertAccount(test);
    const { accessToken, refreshToken } = await signInTo(test, account);
    const answers = [...(await Promise.all([logout(refreshToken), logout(refreshToken)])), await logout(refreshToken)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const who = { actorId: account.id, actorName: account.userName, entity: 'sessions', address: '127.0.0.1' };
    expect(await auditOf(accessToken)).toEqual([{ action: 'auth.sign-out', ...who }]);
  });

  it('succeeds with an unknown token, and ends nothing [§7.1]', async () => {
    const { accessToken } = await signInTo(test, await insertAccount(test));
    expect(await logout('A'.repeat(43))).toMatchObject({ status: 200, success: true });
    expect(await statusOf(accessToken)).toBe(200);
  });

  it("leaves the user's other sessions open [§4]", async () => {
    const account = await insertAccount(test);
    const [here, there] = [await signInTo(test, account), await signInTo(test, account)];
    await logout(here.refreshToken);
    expect([await statusOf(here.accessToken), await statusOf(there.accessToken)]).toEqual([401, 200]);
  });

  it('works although the access token has expired long ago [§4]', async () => {
    const { accessToken, refreshToken } = await signInTo(test, await insertAccount(test));
    test.clock.advance(8 * 3600);
    await logout(refreshToken);
    const refresh = await test.call(authRoutes.refresh, { token: null, body: { accessToken, refreshToken } });
    expect(refresh).toMatchObject({ status: 401 });
  });

  it('needs a refresh token [§5]', async () => {
    const answer = await test.call(authRoutes.logout, { token: null, body: { refreshToken: '' } });
    expect(answer).toMatchObject({ status: 400, errors: { refreshToken: ['refreshToken is required'] } });
  });
});
