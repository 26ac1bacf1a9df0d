import { auditRoutes } from '@apotheca/contract/audit';
import { authRoutes } from '@apotheca/contract/auth';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { deriveKeys } from '../../../secrets.ts';
import { useTestApp } from '../../../testing/app.ts';
import { type HostileProvider, type SignedToken, startHostileProvider } from '../../../testing/hostile-provider.ts';
import { meetAtRow } from '../../../testing/lock-order.ts';
import {
  CLIENT,
  type ProviderProcess,
  ProviderVisitor,
  providerSettings,
  startProvider,
} from '../../../testing/provider.ts';
import { beginAtProvider, CONSOLE, finishAtProvider, signInByProvider } from '../../../testing/provider-sign-in.ts';
import { forgetOldSessions } from '../sessions.service.ts';

const oidcProviders: OidcProvider[] = [];
const test = useTestApp({ oidcProviders, publicUrl: CONSOLE });
const SETTINGS = { roles: { everybody: 'Viewer' }, createUsers: true };
const BACKCHANNEL = '/identity/authenticate/oidc/backchannel';
let provider: ProviderProcess;
let hostile: HostileProvider;
let made = 0;

beforeAll(async () => {
  [provider, hostile] = await Promise.all([startProvider(), startHostileProvider()]);
  const address = await test.app.listen({ host: '127.0.0.1', port: 0 });
  await provider.open(CONSOLE, {
    backchannel_logout_uri: address + BACKCHANNEL,
    backchannel_logout_session_required: true,
  });
});
afterAll(() => Promise.all([provider.close(), hostile.close()]));
beforeEach(() => {
  const other = providerSettings(hostile.issuer, { ...SETTINGS, id: 'other', name: 'Other' });
  // oidc-provider gives a refresh token only to whom the person was asked about.
  const clinic = providerSettings(provider.issuer, { ...SETTINGS, parameters: { prompt: 'consent' } });
  oidcProviders.splice(0, 2, clinic, other);
});

async function newPerson(): Promise<string> {
  made += 1;
  const login = `person-${made}`;
  await provider.account(login, { preferred_username: login, groups: ['everybody'] });
  return login;
}

interface Pair {
  id: string;
  accessToken: string;
  refreshToken: string;
}

/** Of how many sessions of a user tokens of a provider are kept. */
async function countTokensOf(userId: string): Promise<number> {
  const sessions = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', userId);
  const kept = test.context.platform.selectFrom('providerSessions').where('sessionId', 'in', sessions);
  return (await kept.selectAll().execute()).length;
}

/** Signs a new person in by the real provider. */
async function signedIn(visitor?: ProviderVisitor): Promise<Pair & { login: string }> {
  const login = await newPerson();
  const { result } = await signInByProvider(test, login, visitor);
  return { login, ...result };
}

const refresh = ({ accessToken, refreshToken }: Pair) =>
  test.call(authRoutes.refresh, { body: { accessToken, refreshToken }, token: null });
/** Refreshes, as the console does every ten minutes. @returns the next pair */
async function refreshed(pair: Pair): Promise<Pair> {
  const { status, result } = await refresh(pair);
  expect(status).toBe(200);
  return { ...pair, accessToken: result.accessToken };
}
const call = ({ accessToken }: Pair) => test.call(authRoutes.me, { token: accessToken });
const actionsOf = async (userId: string) => {
  const sessions = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', userId);
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'actorName']).orderBy('id');
  const found = await entries
    .where('entityId', 'in', await sessions.execute().then((rows) => rows.map(({ id }) => id)))
    .execute();
  return found.map(({ action, actorName }) => `${action} by ${actorName}`);
};

describe('a session that a provider has opened', () => {
  it('is refreshed while the person may sign in there [DECISIONS §13]', async () => {
    let pair: Pair = await signedIn();
    for (let round = 0; round < 3; round += 1) {
      test.clock.advance(600);
      pair = await refreshed(pair);
      expect(await call(pair)).toMatchObject({ status: 200 });
    }
  });

  it('ends with the next refresh of a person who was disabled there [DECISIONS §13]', async () => {
    const pair = await signedIn();
    await provider.account(pair.login, null);
    test.clock.advance(600);
    expect(await call(pair)).toMatchObject({ status: 200 });
    expect(await refresh(pair)).toMatchObject({ status: 401, title: 'Session ended' });
    expect(await call(pair)).toMatchObject({ status: 401 });
    expect(await actionsOf(pair.id)).toEqual(['auth.provider-refused by Clinic']);
    const search = { action: 'auth.provider-refused', outcome: 'refused' };
    const token = (await test.signIn()).result.accessToken;
    expect((await test.call(auditRoutes.search, { query: search, token })).result.entries).toHaveLength(1);
  });

  it('asks the provider once for 20 refreshes at once, and goes on [DECISIONS §13]', async () => {
    const pair = await signedIn();
    test.clock.advance(600);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(pair)));
    expect(new Set(answers.map(({ status, result }) => `${status} ${result?.accessToken}`)).size).toBe(1);
    test.clock.advance(600);
    // Had one refresh token been used twice, the provider would have taken it for a stolen one.
    expect(await refresh({ ...pair, accessToken: answers[0]?.result.accessToken })).toMatchObject({ status: 200 });
  });

  it('outlives a short outage of the provider, and no long one; nobody is signed out by it [DECISIONS §13]', async () => {
    const pair = await signedIn();
    await provider.answers(false);
    test.clock.advance(600);
    const next = await refreshed(pair);
    test.clock.advance(600);
    // The last answer is 20 minutes old: the access token of the last refresh still counts, but no new one is given.
    expect(await refresh(next)).toMatchObject({ status: 503 });
    expect(await call(next)).toMatchObject({ status: 200 });
    await provider.answers(true);
    expect(await refresh(next)).toMatchObject({ status: 200 });
  });

  it('lives as long as one access token where the provider gives no refresh token [DECISIONS §13]', async () => {
    oidcProviders.splice(0, 1, providerSettings(provider.issuer, SETTINGS));
    const pair = await signedIn();
    test.clock.advance(600);
    const next = await refreshed(pair);
    test.clock.advance(299);
    expect(await call(next)).toMatchObject({ status: 200 });
    test.clock.advance(2);
    expect(await call(next)).toMatchObject({ status: 401 });
    expect(await refresh(next)).toMatchObject({ status: 401 });
  });

  it('ends when the settings name its provider no more [DECISIONS §13]', async () => {
    const pair = await signedIn();
    oidcProviders.shift();
    test.clock.advance(600);
    expect(await refresh(pair)).toMatchObject({ status: 401 });
  });

  it('is asked about again by whoever comes after a server that was killed while it asked [DECISIONS §13]', async () => {
    const pair = await signedIn();
    test.clock.advance(1200);
    const { platform } = test.context;
    await platform.updateTable('providerSessions').set({ askingSince: test.clock.now }).execute();
    expect(await refresh(pair)).toMatchObject({ status: 503 });
    test.clock.advance(31);
    expect(await refresh(pair)).toMatchObject({ status: 200 });
  });

  it('gives API tokens of at most 15 minutes, as no provider is asked about those [DECISIONS §13]', async () => {
    const { accessToken: token } = await signedIn();
    const issue = (minutes: number) =>
      test.call(authRoutes.generateToken, { body: { name: 'report', minutes }, token });
    expect(await issue(16)).toMatchObject({
      status: 400,
      errors: { minutes: ['minutes must be at most 15, as you have signed in with a provider'] },
    });
    expect(await issue(15)).toMatchObject({ status: 200 });
  });

  it('leaves no token of the provider when it has ended [DECISIONS §13]', async () => {
    const { id, refreshToken } = await signedIn();
    await test.call(authRoutes.logout, { body: { refreshToken }, token: null });
    await forgetOldSessions(test.context, 90);
    expect(await countTokensOf(id)).toBe(0);
  });

  it('leaves no token of the provider when it has ended by itself, without a refresh for 12 hours [DECISIONS §13]', async () => {
    const { id } = await signedIn();
    test.clock.advance(12 * 3600 - 1);
    await forgetOldSessions(test.context, 90);
    expect(await countTokensOf(id)).toBe(1);
    test.clock.advance(1);
    await forgetOldSessions(test.context, 90);
    expect(await countTokensOf(id)).toBe(0);
  });

  it('is over for everybody once its tokens have gone, by a clock that was ahead too: nobody could be asked about it [DECISIONS §13]', async () => {
    const [pair, other] = [await signedIn(), (await test.signIn()).result];
    await provider.account(pair.login, null);
    const ahead = new Date(test.clock.now.getTime() + 13 * 3_600_000);
    await forgetOldSessions({ ...test.context, now: () => ahead }, 90);
    expect(await countTokensOf(pair.id)).toBe(0);
    test.clock.advance(600);
    expect(await refresh(pair)).toMatchObject({ status: 401 });
    expect(await call(pair)).toMatchObject({ status: 401 });
    await refreshed(other);
  });
});

describe('a refresh whose answer is wrong', () => {
  /** Signs in by the hostile provider, which then answers as it is told. */
  async function atHostile(subject: string): Promise<Pair> {
    const { url, verifier } = await beginAtProvider(test, 'other');
    const state = url.searchParams.get('state');
    answerWith({
      claims: {
        ...claimsOf(subject),
        nonce: url.searchParams.get('nonce'),
        preferred_username: subject,
        groups: 'everybody',
      },
    });
    const answer = await finishAtProvider(test, { provider: 'other', code: 'c', state, verifier });
    expect(answer.status).toBe(200);
    return answer.result;
  }

  const claimsOf = (sub: string) => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: hostile.issuer, aud: CLIENT.id, sub, iat: now, exp: now + 300 };
  };
  function answerWith(token: SignedToken): void {
    hostile.answer = async () => ({
      body: { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', id_token: await hostile.sign(token) },
    });
  }

  it('ends the session if it is of another person [DECISIONS §13]', async () => {
    const pair = await atHostile('eve');
    test.clock.advance(600);
    answerWith({ claims: claimsOf('mallory') });
    expect(await refresh(pair)).toMatchObject({ status: 401 });
    expect(await call(pair)).toMatchObject({ status: 401 });
  });

  it('ends the session if its token is signed by somebody else [DECISIONS §13]', async () => {
    const pair = await atHostile('trent');
    test.clock.advance(600);
    answerWith({ claims: claimsOf('trent'), key: (await generateKeyPair('RS256')).privateKey });
    expect(await refresh(pair)).toMatchObject({ status: 401 });
  });

  it('counts from when the provider has answered: one that is lost after that is repeated for 30 seconds [§4]', async () => {
    const pair = await atHostile('sybil');
    test.clock.advance(600);
    const token = await hostile.sign({ claims: claimsOf('sybil') });
    hostile.answer = async () => {
      test.clock.advance(8);
      return { body: { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', id_token: token } };
    };
    const lost = await refreshed(pair);
    test.clock.advance(30);
    expect(await refreshed(pair)).toEqual(lost);
  });

  it('is an outage if the provider breaks, or does not know the console any more [DECISIONS §13]', async () => {
    let pair = await atHostile('oscar');
    for (const error of ['server_error', 'invalid_client']) {
      test.clock.advance(300);
      hostile.answer = async () => ({ status: 400, body: { error } });
      pair = await refreshed(pair);
    }
  });
});

describe('signing out', () => {
  const signOut = async ({ refreshToken }: Pair): Promise<URL | undefined> => {
    const { result } = await test.call(authRoutes.logout, { body: { refreshToken }, token: null });
    return result?.url && new URL(result.url);
  };

  it('leads to the provider, which then asks for the password again and leads back [DECISIONS §13]', async () => {
    const visitor = new ProviderVisitor(CONSOLE);
    const pair = await signedIn(visitor);
    const url = await signOut(pair);
    expect(await call(pair)).toMatchObject({ status: 401 });
    expect(url?.origin).toBe(provider.issuer);
    expect(url?.searchParams.get('post_logout_redirect_uri')).toBe(`${CONSOLE}/login`);
    expect(String(await visitor.signOut(String(url)))).toBe(`${CONSOLE}/login`);
  });

  it('leads nowhere for a session by password, or where the provider has no page for it or is away [DECISIONS §13]', async () => {
    expect(await signOut((await test.signIn()).result)).toBeUndefined();
    const pair = await signedIn();
    await provider.answers(false);
    // What was learnt of it before counts for an hour only.
    oidcProviders.splice(0, 1, { ...(oidcProviders[0] as OidcProvider) });
    expect(await signOut(pair)).toBeUndefined();
    expect(await call(pair)).toMatchObject({ status: 401 });
    await provider.answers(true);
  });

  it('leads nowhere where the installation has got another secret since [DECISIONS §13]', async () => {
    const pair = await signedIn();
    const { keys } = test.context;
    const { providerTokens } = keys;
    keys.providerTokens = deriveKeys('another secret that only tests use').providerTokens;
    const body = { refreshToken: pair.refreshToken };
    expect(await test.call(authRoutes.logout, { body, token: null })).toMatchObject({ status: 200, result: null });
    keys.providerTokens = providerTokens;
    expect(await call(pair)).toMatchObject({ status: 401 });
  });

  it('at the provider ends the session here: it tells the server [DECISIONS §13]', async () => {
    // The provider writes the time of its own clock, which goes on: this one is ahead of it, so that it writes no time to come.
    test.clock.now = new Date(Date.now() + 60_000);
    const visitor = new ProviderVisitor(CONSOLE);
    const [pair, stays] = [await signedIn(visitor), await signedIn()];
    await visitor.signOut(`${provider.issuer}/session/end`);
    await vi.waitFor(async () => expect(await call(pair)).toMatchObject({ status: 401 }), { timeout: 60_000 });
    expect(await actionsOf(pair.id)).toEqual(['auth.signed-out-at-provider by Clinic']);
    expect(await call(stays)).toMatchObject({ status: 200 });
  });
});

describe('a logout token', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const HEADER = { typ: 'logout+jwt' };
  let tokens = 0;

  const claimsOf = (): Record<string, unknown> => {
    tokens += 1;
    const now = Math.floor(test.clock.now.getTime() / 1000);
    const times = { iat: now, exp: now + 120 };
    return {
      iss: hostile.issuer,
      aud: CLIENT.id,
      jti: `token-${tokens}`,
      sub: 'zoe',
      events: { [EVENT]: {} },
      ...times,
    };
  };
  const send = async (token: string) => {
    const response = await test.app.inject({
      method: 'POST',
      url: BACKCHANNEL,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });
    return response.statusCode;
  };

  /** A session by the hostile provider, whose logout tokens the tests write. */
  async function sessionOf(subject: string, sid: string): Promise<Pair> {
    const { url, verifier } = await beginAtProvider(test, 'other');
    const now = Math.floor(Date.now() / 1000);
    const nonce = url.searchParams.get('nonce');
    const times = { iat: now, exp: now + 300 };
    const claims = {
      iss: hostile.issuer,
      aud: CLIENT.id,
      sub: subject,
      sid,
      nonce,
      preferred_username: subject,
      groups: 'everybody',
    };
    hostile.answer = async () => ({
      body: {
        access_token: 'a',
        token_type: 'Bearer',
        id_token: await hostile.sign({ claims: { ...claims, ...times } }),
      },
    });
    const state = url.searchParams.get('state');
    return (await finishAtProvider(test, { provider: 'other', code: 'c', state, verifier })).result;
  }

  it('ends the session that it names, or all of the person that it names [DECISIONS §13]', async () => {
    const [first, second, third] = [
      await sessionOf('zoe', '1'),
      await sessionOf('zoe', '2'),
      await sessionOf('yan', '3'),
    ];
    const { sub, ...ofSession } = claimsOf();
    expect(await send(await hostile.sign({ claims: { ...ofSession, sid: '1' }, header: HEADER }))).toBe(200);
    expect([await call(first), await call(second)].map(({ status }) => status)).toEqual([401, 200]);
    expect(await send(await hostile.sign({ claims: claimsOf(), header: HEADER }))).toBe(200);
    expect([await call(second), await call(third)].map(({ status }) => status)).toEqual([401, 200]);
    expect(await actionsOf(first.id)).toHaveLength(2);
  });

  it('waits for no session while others wait for the audit trail: two that meet both go on [DECISIONS §13]', async () => {
    const pairs = [await sessionOf('zoe', '1'), await sessionOf('zoe', '2')];
    const sessions = await test.context.platform
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', pairs[0]?.id ?? '')
      .where('revokedAt', 'is', null)
      .orderBy('id')
      .execute();
    const last = sql`select from sessions where id = ${sessions.at(-1)?.id}::uuid for update`;
    const token = await hostile.sign({ claims: claimsOf(), header: HEADER });
    expect(await meetAtRow(test, last, () => send(token))).toBe(200);
    for (const pair of pairs) expect(await call(pair)).toMatchObject({ status: 401 });
  });

  it('of a provider whose clock is half a minute ahead counts, as its ID tokens do [DECISIONS §13]', async () => {
    const pair = await sessionOf('zoe', '1');
    const { iat, ...claims } = claimsOf();
    const ahead = { ...claims, iat: Number(iat) + 30 };
    expect(await send(await hostile.sign({ claims: ahead, header: HEADER }))).toBe(200);
    expect(await call(pair)).toMatchObject({ status: 401 });
  });

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['for another console', (claims) => ({ ...claims, aud: 'another' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['of the real provider, signed by the other', (claims) => ({ ...claims, iss: provider.issuer })],
    ['that has expired', (claims) => ({ ...claims, iat: Number(claims.iat) - 300, exp: Number(claims.iat) - 180 })],
    ['that is old', (claims) => ({ ...claims, iat: Number(claims.iat) - 3600 })],
    ['from the future', (claims) => ({ ...claims, iat: Number(claims.iat) + 31 })],
    ['without an expiry', ({ exp, ...claims }) => claims],
    ['without an id', ({ jti, ...claims }) => claims],
    ['without its event', (claims) => ({ ...claims, events: {} })],
    ['without events', ({ events, ...claims }) => claims],
    ['with a nonce, as ID tokens have', (claims) => ({ ...claims, nonce: 'n' })],
    ['that names neither session nor person', ({ sub, ...claims }) => claims],
  ])('%s is refused, and ends nothing [DECISIONS §13]', async (_what, changed) => {
    const pair = await sessionOf('zoe', '1');
    expect(await send(await hostile.sign({ claims: changed(claimsOf()), header: HEADER }))).toBe(400);
    expect(await call(pair)).toMatchObject({ status: 200 });
  });

  it.each<[string, () => Promise<string>]>([
    ['of another type', () => hostile.sign({ claims: claimsOf(), header: { typ: 'JWT' } })],
    ['of no type', () => hostile.sign({ claims: claimsOf() })],
    [
      'with another signature',
      async () =>
        hostile.sign({ claims: claimsOf(), header: HEADER, key: (await generateKeyPair('RS256')).privateKey }),
    ],
    ['that is none', async () => 'a.b.c'],
  ])('%s is refused [DECISIONS §13]', async (_what, make) => {
    const pair = await sessionOf('zoe', '1');
    expect(await send(await make())).toBe(400);
    expect(await call(pair)).toMatchObject({ status: 200 });
  });

  it('is verified by the keys of the address that the provider names now, an hour after it named another [DECISIONS §13]', async () => {
    const metadata: Record<string, unknown> = {};
    const [moving, target] = await Promise.all([startHostileProvider(metadata), startHostileProvider()]);
    oidcProviders.push(providerSettings(moving.issuer, { ...SETTINGS, id: 'moving', name: 'Moving' }));
    const signed = (by: HostileProvider) => by.sign({ claims: { ...claimsOf(), iss: moving.issuer }, header: HEADER });
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      // By a clock that is a year ahead, until it is put right.
      const right = Date.now();
      vi.setSystemTime(right + 365 * 24 * 3_600_000);
      expect([await send(await signed(moving)), await send(await signed(target))]).toEqual([200, 400]);
      vi.setSystemTime(right);
      metadata.jwks_uri = `${target.issuer}/jwks`;
      vi.advanceTimersByTime(3_600_001);
      expect([await send(await signed(target)), await send(await signed(moving))]).toEqual([200, 400]);
    } finally {
      vi.useRealTimers();
      oidcProviders.pop();
      await Promise.all([moving.close(), target.close()]);
    }
  });

  it('counts once: a copy of it does not end the next session [DECISIONS §13]', async () => {
    const token = await hostile.sign({ claims: claimsOf(), header: HEADER });
    expect(await send(token)).toBe(200);
    const pair = await sessionOf('zoe', '1');
    expect(await send(token)).toBe(400);
    expect(await call(pair)).toMatchObject({ status: 200 });
  });

  it('is taken as a form by this call alone [DECISIONS §13]', async () => {
    const response = await test.app.inject({
      method: 'POST',
      url: '/identity/authenticate/oidc/begin',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'provider=clinic',
    });
    expect(response.statusCode).toBe(415);
    expect(openIdConnectRoutes.providerSignOut.path).toBe('/authenticate/oidc/backchannel');
  });
});
