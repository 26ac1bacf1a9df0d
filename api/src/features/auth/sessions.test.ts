import { authRoutes, openSession } from '@apotheca/contract/auth';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Account, insertAccount, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { whileUnwritable } from '../../testing/unwritable-table.ts';
import { forgetOldSessions } from './sessions.service.ts';

const test = useTestApp();
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const UNAUTHORISED = { status: 401, message: 'Your session has expired. Please login again.' };
const NOT_FOUND = { status: 404, success: false, message: 'There is no such open session.' };

const listOwn = (token: string | null) => test.call(authRoutes.listSessions, { token });
const endOwn = (token: string | null, id: string) => test.call(authRoutes.endSession, { token, query: { id } });
const listOf = (token: string | null, userId: string) =>
  test.call(authRoutes.listUserSessions, { token, query: { userId } });
const endOf = (token: string | null, id: string) => test.call(authRoutes.endUserSession, { token, query: { id } });
const me = (token: string) => test.call(authRoutes.me, { token });

const sessionIdOf = (token: string) => String(decodeJwt(token).sid);
const idsOf = (result: { id: string }[]) => result.map(({ id }) => id);

interface Session {
  id: string;
  accessToken: string;
  refreshToken: string;
}

/** Signs in from a browser. */
async function signInFrom({ userName }: Account, userAgent: string): Promise<Session> {
  const { result } = await test.call(authRoutes.authenticate, {
    token: null,
    body: { username: userName, password: ADMINISTRATOR.password },
    headers: { 'user-agent': userAgent },
  });
  const { accessToken, refreshToken } = result;
  return { id: sessionIdOf(accessToken), accessToken, refreshToken };
}

async function newSession(role = 'Viewer'): Promise<Session & { account: Account }> {
  const account = await insertAccount(test, { role });
  const tokens = await signInTo(test, account);
  return { account, id: sessionIdOf(tokens.accessToken), ...tokens };
}

async function newApiToken(accessToken: string, minutes = 10): Promise<{ id: string; token: string }> {
  const { result } = await test.call(authRoutes.generateToken, {
    token: accessToken,
    body: { name: 'Nightly report', minutes },
  });
  return { id: sessionIdOf(result.accessToken), token: result.accessToken };
}

const rowOf = (id: string) =>
  test.context.platform.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe("one's own open sessions", () => {
  it('need a signed-in user [§6]', async () => {
    expect(await listOwn(null)).toMatchObject({ status: 401 });
    expect(await endOwn(null, crypto.randomUUID())).toMatchObject({ status: 401 });
  });

  it('are listed with device, address and moments, last seen first, and nothing else [§6]', async () => {
    const account = await insertAccount(test);
    await newSession();
    const firefox = await signInFrom(account, FIREFOX);
    const signedIn = test.clock.now;
    test.clock.advance(5 * MINUTE);
    const safari = await signInFrom(account, SAFARI);
    const { status, result } = await listOwn(safari.accessToken);
    expect(status).toBe(200);
    expect(z.array(openSession.strict()).parse(result)).toEqual(result);
    expect(result).toMatchObject([
      { id: safari.id, kind: 'console', device: 'Safari 18 on macOS', isCurrent: true },
      {
        id: firefox.id,
        kind: 'console',
        name: '',
        device: 'Firefox 142 on Windows',
        address: '127.0.0.1',
        createdOnUtc: signedIn.toISOString(),
        lastUsedOnUtc: signedIn.toISOString(),
        expiresOnUtc: new Date(signedIn.getTime() + 7 * 24 * HOUR * 1000).toISOString(),
        isCurrent: false,
      },
    ]);
    test.clock.advance(MINUTE);
    const seenFromFirefox = (await listOwn(firefox.accessToken)).result;
    expect(idsOf(seenFromFirefox)).toEqual([firefox.id, safari.id]);
    expect(seenFromFirefox[0]).toMatchObject({ isCurrent: true, lastUsedOnUtc: test.clock.now.toISOString() });
  });

  it('show API tokens, which can list sessions but end none [§7.1]', async () => {
    const session = await newSession();
    const { id, token } = await newApiToken(session.accessToken);
    const { status, result } = await listOwn(token);
    expect(status).toBe(200);
    expect(result.find((listed: { id: string }) => listed.id === id)).toMatchObject({
      kind: 'api',
      name: 'Nightly report',
      isCurrent: true,
    });
    const readOnly = { status: 403, message: 'This API token can only read.' };
    expect(await endOwn(token, id)).toMatchObject(readOnly);
    expect(await endOwn(token, session.id)).toMatchObject(readOnly);
    expect(await me(session.accessToken)).toMatchObject({ status: 200 });
  });

  it('are only those that have not ended [§4]', async () => {
    const account = await insertAccount(test);
    const idle = await signInFrom(account, FIREFOX);
    const signedOut = await signInFrom(account, FIREFOX);
    await test.call(authRoutes.logout, { token: null, body: { refreshToken: signedOut.refreshToken } });
    const short = await newApiToken(idle.accessToken, 60);
    const long = await newApiToken(idle.accessToken, 1440);
    test.clock.advance(12 * HOUR);
    const current = await signInFrom(account, SAFARI);
    expect(idsOf((await listOwn(current.accessToken)).result)).toEqual([current.id, long.id]);
    for (const { id } of [idle, signedOut, short, { id: crypto.randomUUID() }]) {
      expect(await endOwn(current.accessToken, id)).toMatchObject(NOT_FOUND);
    }
  });

  it('end at once: the next call and the refresh are refused, and the audit trail has it [§4]', async () => {
    const account = await insertAccount(test);
    const [lost, current] = [await signInFrom(account, FIREFOX), await signInFrom(account, SAFARI)];
    expect(await endOwn(current.accessToken, lost.id.toUpperCase())).toMatchObject({
      status: 200,
      success: true,
      message: 'The session has been signed out.',
      result: null,
    });
    expect(await me(lost.accessToken)).toMatchObject(UNAUTHORISED);
    const { accessToken, refreshToken } = lost;
    expect(await test.call(authRoutes.refresh, { token: null, body: { accessToken, refreshToken } })).toMatchObject(
      UNAUTHORISED,
    );
    expect(await me(current.accessToken)).toMatchObject({ status: 200 });
    expect(idsOf((await listOwn(current.accessToken)).result)).toEqual([current.id]);
    expect(await rowOf(lost.id)).toMatchObject({ revokedAt: test.clock.now, revokedReason: 'session-ended' });
    expect(await auditOf(lost.id)).toMatchObject([{ action: 'auth.session-ended', actorId: account.id }]);
    expect(await endOwn(current.accessToken, lost.id)).toMatchObject(NOT_FOUND);
  });

  it('include that of the call; ending it signs out [§4]', async () => {
    const { id, accessToken } = await newSession();
    expect(await endOwn(accessToken, id)).toMatchObject({ status: 200 });
    expect(await listOwn(accessToken)).toMatchObject(UNAUTHORISED);
  });

  it('cannot be ended by others in this way, not even by an administrator [§6]', async () => {
    const [owner, stranger, administrator] = [
      await newSession(),
      await newSession(),
      await newSession('Administrator'),
    ];
    for (const { accessToken } of [stranger, administrator]) {
      expect(idsOf((await listOwn(accessToken)).result)).not.toContain(owner.id);
      expect(await endOwn(accessToken, owner.id)).toMatchObject(NOT_FOUND);
    }
    expect(await me(owner.accessToken)).toMatchObject({ status: 200 });
  });

  it('end once, even if many calls end them at once [§4]', async () => {
    const account = await insertAccount(test);
    const [lost, current] = [await signInFrom(account, FIREFOX), await signInFrom(account, SAFARI)];
    const answers = await Promise.all(Array.from({ length: 6 }, () => endOwn(current.accessToken, lost.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await auditOf(lost.id)).toHaveLength(1);
  });

  it.each<Record<string, string>>([{}, { id: '' }, { id: 'x' }])(
    'are ended by an id, not by %j [§7.1]',
    async (query) => {
      const { accessToken: token } = await newSession();
      const answer = await test.call(authRoutes.endSession, { token, query });
      expect(answer).toMatchObject({ status: 400, errors: { id: ['Id is required'] } });
    },
  );
});

describe("another user's open sessions", () => {
  it.each(['Viewer', 'Operator'])('are not for a %s [§6]', async (role) => {
    const [owner, { accessToken, id }] = [await newSession(), await newSession(role)];
    const refused = { status: 403, message: "You do not have the permission 'sessions.manage'." };
    expect(await listOf(accessToken, owner.account.id)).toMatchObject(refused);
    expect(await endOf(accessToken, owner.id)).toMatchObject(refused);
    expect(await endOf(accessToken, id)).toMatchObject(refused);
    expect(await me(owner.accessToken)).toMatchObject({ status: 200 });
  });

  it('need a signed-in user [§6]', async () => {
    expect(await listOf(null, crypto.randomUUID())).toMatchObject({ status: 401 });
    expect(await endOf(null, crypto.randomUUID())).toMatchObject({ status: 401 });
  });

  it('are listed for an administrator, with API tokens [§6]', async () => {
    const { account, id, accessToken } = await newSession();
    const apiToken = await newApiToken(accessToken);
    const { accessToken: token } = await newSession('Administrator');
    const { status, result } = await listOf(token, account.id);
    expect(status).toBe(200);
    expect(idsOf(result).sort()).toEqual([id, apiToken.id].sort());
    expect(result.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, false]);
  });

  it('end at once, and the audit trail says whose they were and who ended them [§6]', async () => {
    const { account, accessToken } = await newSession();
    const apiToken = await newApiToken(accessToken);
    const administrator = await newSession('Administrator');
    expect(await endOf(administrator.accessToken, apiToken.id)).toMatchObject({ status: 200, result: null });
    expect(await me(apiToken.token)).toMatchObject(UNAUTHORISED);
    expect(await me(accessToken)).toMatchObject({ status: 200 });
    expect(await endOf(administrator.accessToken, apiToken.id)).toMatchObject(NOT_FOUND);
    expect((await auditOf(apiToken.id)).at(-1)).toEqual({
      action: 'auth.session-ended',
      actorId: administrator.account.id,
      entity: 'sessions',
      changes: { userId: account.id, userName: account.userName, kind: 'api', name: 'Nightly report' },
    });
  });

  it("include the administrator's own current one [§6]", async () => {
    const { accessToken, id, account } = await newSession('Administrator');
    expect((await listOf(accessToken, account.id)).result).toMatchObject([{ id, isCurrent: true }]);
    expect(await endOf(accessToken, id)).toMatchObject({ status: 200 });
    expect(await me(accessToken)).toMatchObject(UNAUTHORISED);
  });

  it('are a 404 for a deleted or unknown user [§6]', async () => {
    const { account, id } = await newSession();
    const { accessToken } = await newSession('Administrator');
    await test.context.platform
      .updateTable('users')
      .set({ deletedAt: test.clock.now })
      .where('id', '=', account.id)
      .execute();
    expect(await listOf(accessToken, account.id)).toMatchObject({ status: 404 });
    expect(await listOf(accessToken, crypto.randomUUID())).toMatchObject({ status: 404 });
    expect(await endOf(accessToken, id)).toMatchObject(NOT_FOUND);
  });
});

describe('when a session was last seen', () => {
  it.each(['a sign-in', 'an API token'])('moves with the calls of %s, once a minute at most [§6]', async (kind) => {
    const session = await newSession();
    const { id, token } =
      kind === 'a sign-in' ? { id: session.id, token: session.accessToken } : await newApiToken(session.accessToken);
    const signedIn = test.clock.now;
    test.clock.advance(MINUTE - 1);
    await me(token);
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: signedIn });
    test.clock.advance(1);
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await me(token)).status));
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: test.clock.now, lastUsedAt: signedIn });
    const seen = test.clock.now;
    test.clock.advance(MINUTE / 2);
    await me(token);
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: seen });
  });

  it('moves with a refused call and with a refresh, but not after the end [§6]', async () => {
    const { id, accessToken, refreshToken } = await newSession();
    test.clock.advance(MINUTE);
    expect(await listOf(accessToken, crypto.randomUUID())).toMatchObject({ status: 403 });
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: test.clock.now });
    test.clock.advance(MINUTE);
    const { result } = await test.call(authRoutes.refresh, { token: null, body: { accessToken, refreshToken } });
    const refreshed = test.clock.now;
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: refreshed, lastUsedAt: refreshed });
    await endOwn(result.accessToken, id);
    test.clock.advance(MINUTE);
    expect(await me(result.accessToken)).toMatchObject({ status: 401 });
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: refreshed });
  });

  it('stays where nothing can be written, such as on a full disk: reading goes on [§8]', async () => {
    const { id, accessToken } = await newSession();
    const signedIn = test.clock.now;
    test.clock.advance(MINUTE);
    expect(await whileUnwritable(test, 'sessions', () => me(accessToken))).toMatchObject({ status: 200 });
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: signedIn });
    await me(accessToken);
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: test.clock.now });
  });

  it('does not keep an idle session open: only a refresh does [§4]', async () => {
    const { account, id, accessToken } = await newSession();
    test.clock.advance(10 * MINUTE);
    await me(accessToken);
    expect(await rowOf(id)).toMatchObject({ lastSeenAt: test.clock.now });
    test.clock.advance(12 * HOUR - 10 * MINUTE);
    const { accessToken: administrator } = await newSession('Administrator');
    expect((await listOf(administrator, account.id)).result).toEqual([]);
    expect(await endOf(administrator, id)).toMatchObject(NOT_FOUND);
  });
});

const auditOf = (id: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'actorId', 'entity', 'changes'])
    .where('entityId', '=', id)
    .where('action', '=', 'auth.session-ended')
    .orderBy('id')
    .execute();

describe('rows of ended sessions', () => {
  it('are deleted some days later, with counts of attempts to sign in; open sessions stay [DECISIONS §4]', async () => {
    const DAY = 24 * HOUR;
    const { platform } = test.context;
    const idle = await newSession();
    const signedOut = await newSession();
    await endOwn(signedOut.accessToken, signedOut.id);
    await test.signIn('nobody at all', 'wrong horse');
    const idsLeft = async () => {
      const rows = await platform.selectFrom('sessions').select('id').execute();
      return [idle, signedOut, open].map(({ id }) => rows.some((row) => row.id === id));
    };
    const attempts = async () => (await platform.selectFrom('signInAttempts').select('subject').execute()).length;
    test.clock.advance(2 * DAY + 1);
    const open = await newSession();
    await forgetOldSessions(test.context, 2);
    expect(await idsLeft()).toEqual([true, false, true]);
    expect(await attempts()).toBeGreaterThan(0);
    test.clock.advance(12 * HOUR - MINUTE);
    await forgetOldSessions(test.context, 1);
    expect(await idsLeft()).toEqual([false, false, true]);
    test.clock.advance(DAY);
    await forgetOldSessions(test.context, 1);
    expect(await attempts()).toBe(0);
  });
});
