import { authRoutes } from '@apotheca/contract/auth';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Account, insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const MINUTE = 60;
const HOUR = 60 * MINUTE;

interface Pair {
  accessToken: string;
  refreshToken: string;
}

const refresh = (pair: Pair) => test.call(authRoutes.refresh, { token: null, body: pair });
const statusOf = async (token: string) => (await test.call(authRoutes.me, { token })).status;
const ENDED = { status: 401, success: false, message: 'Your session has expired. Please login again.' };

async function newSession(): Promise<{ account: Account; pair: Pair }> {
  const account = await insertAccount(test);
  return { account, pair: await signInTo(test, account) };
}

/** Refreshes once. @returns the pair with the new access token */
async function rotate(pair: Pair): Promise<Pair> {
  const { status, result } = await refresh(pair);
  expect(status).toBe(200);
  return { ...pair, accessToken: result.accessToken };
}

const sessionOf = ({ accessToken }: Pair) =>
  test.context.platform
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', String(decodeJwt(accessToken).sid))
    .executeTakeFirstOrThrow();

const auditOf = (pair: Pair) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'actorId', 'actorName', 'entity', 'address'])
    .where('entityId', '=', String(decodeJwt(pair.accessToken).sid))
    .orderBy('id')
    .execute();

describe('a token of a server with a wrong clock', () => {
  it('is refused while it is from more than a minute ahead, for calls and refreshes [DECISIONS §4]', async () => {
    test.clock.advance(61);
    const { pair } = await newSession();
    test.clock.advance(-61);
    expect(await statusOf(pair.accessToken)).toBe(401);
    expect(await refresh(pair)).toMatchObject(ENDED);
    test.clock.advance(1);
    expect(await statusOf(pair.accessToken)).toBe(200);
    expect((await refresh(pair)).status).toBe(200);
  });
});

describe('POST /authenticate/refresh', () => {
  it('gives a new access token that expires later, and the time of the server [§7.1]', async () => {
    const { pair } = await newSession();
    test.clock.advance(10 * MINUTE);
    const { status, result } = await refresh(pair);
    const now = Math.floor(test.clock.now.getTime() / 1000);
    expect({ status, ...result }).toEqual({ status: 200, accessToken: expect.any(String), serverTime: now });
    const [before, after] = [decodeJwt(pair.accessToken), decodeJwt(result.accessToken)];
    expect(after).toMatchObject({
      sub: before.sub,
      sid: before.sid,
      role: before.role,
      iat: now,
      exp: now + 15 * MINUTE,
    });
    expect(after.jti).not.toBe(before.jti);
    expect(await statusOf(result.accessToken)).toBe(200);
  });

  it('rotates the pair: the session knows its newest access token, and the refresh token stays [§4]', async () => {
    const { pair } = await newSession();
    const before = await sessionOf(pair);
    const rotated = await rotate(pair);
    const after = await sessionOf(rotated);
    expect(after).toMatchObject({ previousAccessTokenId: before.accessTokenId, lastUsedAt: test.clock.now });
    expect(after.accessTokenId).toBe(decodeJwt(rotated.accessToken).jti);
    expect(after.refreshTokenHash).toEqual(before.refreshTokenHash);
  });

  it('accepts an expired access token of an open session [§7.5]', async () => {
    const { pair } = await newSession();
    test.clock.advance(15 * MINUTE - 1);
    expect(await statusOf(pair.accessToken)).toBe(200);
    test.clock.advance(1);
    expect(await statusOf(pair.accessToken)).toBe(401);
    expect(await statusOf((await rotate(pair)).accessToken)).toBe(200);
  });

  it.each([2, 10])('gives the same token to %i refreshes at once with one pair [§4]', async (times) => {
    const { pair } = await newSession();
    const answers = await Promise.all(Array.from({ length: times }, () => refresh(pair)));
    expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(200));
    const tokens = new Set(answers.map(({ result }) => result.accessToken));
    expect(tokens.size).toBe(1);
    const [token] = [...tokens];
    expect((await sessionOf(pair)).accessTokenId).toBe(decodeJwt(token).jti);
    expect(await statusOf(token)).toBe(200);
  });

  it("gives the winner's token to a late refresh within 30 seconds [§4]", async () => {
    const { pair } = await newSession();
    test.clock.advance(MINUTE);
    const winner = await rotate(pair);
    test.clock.advance(30);
    const late = await refresh(pair);
    expect(late).toMatchObject({ status: 200, result: { accessToken: winner.accessToken } });
    expect(late.result.serverTime).toBe(Math.floor(test.clock.now.getTime() / 1000));
    expect(await sessionOf(pair)).toMatchObject({ revokedAt: null });
    expect(await auditOf(pair)).toEqual([]);
  });

  it('names every field that is missing [§5]', async () => {
    const answer = await test.call(authRoutes.refresh, { token: null, body: {} });
    expect(answer).toMatchObject({ status: 400, errors: { refreshToken: [/required/], accessToken: [/required/] } });
  });
});

describe('a replayed pair of tokens', () => {
  it('31 seconds after the refresh ends the whole session, and is audited [§4]', async () => {
    const { account, pair } = await newSession();
    const winner = await rotate(pair);
    test.clock.advance(31);
    expect(await refresh(pair)).toMatchObject(ENDED);
    expect([await statusOf(pair.accessToken), await statusOf(winner.accessToken)]).toEqual([401, 401]);
    expect(await refresh(winner)).toMatchObject(ENDED);
    expect(await sessionOf(pair)).toMatchObject({ revokedAt: test.clock.now, revokedReason: 'replay' });
    const who = { actorId: account.id, actorName: account.userName, entity: 'sessions', address: '127.0.0.1' };
    expect(await auditOf(pair)).toEqual([{ action: 'auth.replay', ...who }]);
  });

  it('from before the last refresh is a replay even within the grace [§4]', async () => {
    const { pair } = await newSession();
    const second = await rotate(pair);
    const third = await rotate(second);
    expect(await refresh(pair)).toMatchObject(ENDED);
    expect(await statusOf(third.accessToken)).toBe(401);
  });

  it('is audited once, even if it comes many times at once [§4]', async () => {
    const { pair } = await newSession();
    await rotate(pair);
    test.clock.advance(31);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(pair)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
    expect((await auditOf(pair)).map(({ action }) => action)).toEqual(['auth.replay']);
  });

  it("leaves the user's other sessions open [§4]", async () => {
    const { account, pair } = await newSession();
    const other = await signInTo(test, account);
    await rotate(pair);
    test.clock.advance(31);
    await refresh(pair);
    expect(await statusOf(other.accessToken)).toBe(200);
  });
});

describe('a pair that does not match', () => {
  const key = (text: string) => new TextEncoder().encode(text.padEnd(32, '.'));

  it('with an access token of another session is refused, and that session goes on [§4]', async () => {
    const [mine, foreign] = [await newSession(), await newSession()];
    expect(await refresh({ ...mine.pair, accessToken: foreign.pair.accessToken })).toMatchObject(ENDED);
    expect(await refresh(foreign.pair)).toMatchObject({ status: 200 });
  });

  it('with an unknown refresh token is refused, and the session goes on [§4]', async () => {
    const { pair } = await newSession();
    expect(await refresh({ ...pair, refreshToken: 'A'.repeat(43) })).toMatchObject(ENDED);
    expect(await refresh(pair)).toMatchObject({ status: 200 });
  });

  it.each([
    'another key',
    'another key, expired',
    'no algorithm',
    'changed payload',
    'another audience',
    'no audience',
    'no JWT',
  ])('with a forged access token (%s) is refused everywhere, and the session goes on [§4]', async (kind) => {
    const { pair } = await newSession();
    const accessToken = await forge(kind, pair.accessToken);
    expect(await statusOf(accessToken)).toBe(401);
    expect(await refresh({ ...pair, accessToken })).toMatchObject(ENDED);
    expect(await refresh(pair)).toMatchObject({ status: 200 });
  });

  async function forge(kind: string, accessToken: string): Promise<string> {
    const claims = decodeJwt(accessToken);
    const [header, , signature] = accessToken.split('.');
    if (kind === 'no JWT') return 'not.a.token';
    if (kind === 'no algorithm') return new UnsecuredJWT(claims).encode();
    if (kind === 'changed payload') {
      const payload = Buffer.from(JSON.stringify({ ...claims, exp: Number(claims.exp) + 1 })).toString('base64url');
      return `${header}.${payload}.${signature}`;
    }
    if (kind.endsWith('audience')) {
      const { aud: _, ...rest } = claims;
      const token = new SignJWT({ ...rest, ...(kind === 'another audience' && { aud: 'reports' }) });
      return token.setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(test.context.keys.token);
    }
    const expired = kind.endsWith('expired') && { exp: Number(claims.iat) - 1 };
    const token = new SignJWT({ ...claims, ...expired }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
    return token.sign(key('somebody else'));
  }
});

describe('the end of a session by time', () => {
  it('comes after 12 hours without a refresh [§4]', async () => {
    const { pair } = await newSession();
    test.clock.advance(12 * HOUR - 1);
    const rotated = await rotate(pair);
    test.clock.advance(12 * HOUR);
    expect(await refresh(rotated)).toMatchObject(ENDED);
    expect(await auditOf(pair)).toEqual([]);
  });

  it('comes after 7 days even if it is in use, also for the newest access token [§4]', async () => {
    const { pair } = await newSession();
    let current = pair;
    for (let half = 0; half < 14; half += 1) {
      test.clock.advance(12 * HOUR - 1);
      current = await rotate(current);
    }
    const started = (await sessionOf(pair)).createdAt.getTime();
    test.clock.advance((started + 7 * 24 * HOUR * 1000 - test.clock.now.getTime()) / 1000 - 1);
    current = await rotate(current);
    expect(await statusOf(current.accessToken)).toBe(200);
    test.clock.advance(1);
    expect(await statusOf(current.accessToken)).toBe(401);
    expect(await refresh(current)).toMatchObject(ENDED);
  });
});

describe('a user who may no longer sign in', () => {
  const GONE = { deactivated: { isActive: false }, deleted: { deletedAt: new Date() } };
  const remove = ({ id }: Account, how: keyof typeof GONE) =>
    test.context.platform.updateTable('users').set(GONE[how]).where('id', '=', id).execute();

  it.each(['deactivated', 'deleted'] as const)(
    'because %s is refused at once, also for a refresh [§4]',
    async (how) => {
      const { account, pair } = await newSession();
      const read = async () => (await test.call(tenantRoutes.listEmrs, { token: pair.accessToken })).status;
      expect(await read()).toBe(200);
      await remove(account, how);
      expect([await read(), await statusOf(pair.accessToken)]).toEqual([401, 401]);
      expect(await refresh(pair)).toMatchObject(ENDED);
      expect(await sessionOf(pair)).toMatchObject({ previousAccessTokenId: null });
    },
  );

  it.each(['deactivated', 'deleted'] as const)(
    'because %s gets no token by a late refresh either [§4]',
    async (how) => {
      const { account, pair } = await newSession();
      await rotate(pair);
      await remove(account, how);
      expect(await refresh(pair)).toMatchObject(ENDED);
    },
  );

  it('is not audited as a replay [DECISIONS §12]', async () => {
    const { account, pair } = await newSession();
    await remove(account, 'deactivated');
    await refresh(pair);
    expect(await auditOf(pair)).toEqual([]);
  });
});
