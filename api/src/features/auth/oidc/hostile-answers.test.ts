import { generateKeyPair, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { insertAccount } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { type HostileProvider, type SignedToken, startHostileProvider } from '../../../testing/hostile-provider.ts';
import { inGroups } from '../../../testing/in-groups.ts';
import { CLIENT, providerSettings } from '../../../testing/provider.ts';
import { beginAtProvider, browserSecret, CONSOLE, finishAtProvider } from '../../../testing/provider-sign-in.ts';

const oidcProviders: OidcProvider[] = [];
const test = useTestApp({ oidcProviders, publicUrl: CONSOLE });
let provider: HostileProvider;
let other: HostileProvider;

const SETTINGS = { roles: { everybody: 'Viewer' }, createUsers: true };
const EXPIRED = 'This sign-in has expired or was used already. Please try again.';

beforeAll(async () => {
  provider = await startHostileProvider();
  other = await startHostileProvider({ authorization_response_iss_parameter_supported: true });
  oidcProviders.push(
    providerSettings(provider.issuer, SETTINGS),
    providerSettings(other.issuer, { ...SETTINGS, id: 'other', name: 'Other' }),
  );
});
afterAll(() => Promise.all([provider.close(), other.close()]));
beforeEach(() => {
  provider.asked.length = 0;
  other.asked.length = 0;
});

const seconds = () => Math.floor(Date.now() / 1000);
const countSessions = async () => (await test.context.platform.selectFrom('sessions').select('id').execute()).length;
const newestEntry = () =>
  test.context.platform.selectFrom('auditEntries').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();

/** A browser that a provider would now lead back, with a code. @param from whose answers with tokens are in order */
async function returning(from = provider, id = 'clinic') {
  const { url, verifier } = await beginAtProvider(test, id);
  const state = url.searchParams.get('state') ?? '';
  const claims = {
    iss: from.issuer,
    aud: CLIENT.id,
    sub: 'ada',
    iat: seconds(),
    exp: seconds() + 300,
    nonce: url.searchParams.get('nonce') ?? '',
    preferred_username: `ada at ${id}`,
    groups: ['everybody'],
  };
  answerWith(from, { claims });
  const isNamed = from === other && { iss: other.issuer };
  return { body: { provider: id, code: 'the-code', state, verifier, ...isNamed }, claims, url };
}

/** Lets a provider answer with an ID token. */
function answerWith(from: HostileProvider, token: SignedToken | string): void {
  from.answer = async () => ({
    body: {
      access_token: 'opaque',
      token_type: 'Bearer',
      id_token: typeof token === 'string' ? token : await from.sign(token),
    },
  });
}

/** Refused, without a session. */
async function expectRefusal(body: Record<string, unknown>, reason: string) {
  const before = await countSessions();
  expect(await finishAtProvider(test, body)).toMatchObject({ status: 401, message: EXPIRED });
  expect(await newestEntry()).toMatchObject({ action: 'auth.sign-in-failed', changes: { reason } });
  expect(await countSessions()).toBe(before);
}

describe('an answer in order', () => {
  it('signs in, as the others differ from it in one thing only [DECISIONS §13]', async () => {
    const { body } = await returning();
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 200, result: { username: 'ada at clinic' } });
    const [form] = provider.asked;
    expect(form?.get('code')).toBe('the-code');
    expect(form?.get('redirect_uri')).toBe(`${CONSOLE}/login/callback/clinic`);
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });
});

describe('an ID token is refused', () => {
  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['with the nonce of another sign-in', (claims) => ({ ...claims, nonce: 'replayed' })],
    ['without a nonce', ({ nonce, ...claims }) => claims],
    ['for another console', (claims) => ({ ...claims, aud: 'another' })],
    ['for another console too, that has asked for it', (claims) => ({ ...claims, aud: [CLIENT.id, 'b'], azp: 'b' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['of the other provider', (claims) => ({ ...claims, iss: other.issuer })],
    ['that has expired', (claims) => ({ ...claims, exp: seconds() - 300 })],
    ['from the future', (claims) => ({ ...claims, nbf: seconds() + 3600 })],
    ['without a subject', ({ sub, ...claims }) => claims],
    ['with a subject that no table holds', (claims) => ({ ...claims, sub: 'a\u0000b' })],
    ['with a subject that is no text', (claims) => ({ ...claims, sub: 7 })],
    ['without an expiry', ({ exp, ...claims }) => claims],
  ])('%s [DECISIONS §13]', async (_what, changed) => {
    const { body, claims } = await returning();
    answerWith(provider, { claims: changed(claims) });
    await expectRefusal(body, 'code or token not valid');
  });

  it('without a signature [DECISIONS §13]', async () => {
    const { body, claims } = await returning();
    answerWith(provider, new UnsecuredJWT(claims).encode());
    await expectRefusal(body, 'code or token not valid');
  });

  it('signed with a key that is not its issuer’s [DECISIONS §13]', async () => {
    const { body, claims } = await returning();
    const { privateKey } = await generateKeyPair('RS256');
    answerWith(provider, { claims, key: privateKey });
    await expectRefusal(body, 'code or token not valid');
  });

  it('signed with the other provider’s key [DECISIONS §13]', async () => {
    const { body, claims } = await returning();
    answerWith(provider, { claims, key: other.key });
    await expectRefusal(body, 'code or token not valid');
  });

  it('signed with the client’s secret [DECISIONS §13]', async () => {
    const { body, claims } = await returning();
    const secret = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(CLIENT.secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    answerWith(provider, { claims, key: secret, header: { alg: 'HS256' } });
    await expectRefusal(body, 'code or token not valid');
  });

  it('where there is none [DECISIONS §13]', async () => {
    const { body } = await returning();
    provider.answer = async () => ({ body: { access_token: 'opaque', token_type: 'Bearer' } });
    await expectRefusal(body, 'code or token not valid');
  });
});

describe('an answer of the browser is refused', () => {
  it('that was given before [DECISIONS §13]', async () => {
    const { body } = await returning();
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 200 });
    await expectRefusal(body, 'state used before');
    expect(provider.asked).toHaveLength(1);
  });

  it('with the state of an earlier answer and another code [DECISIONS §13]', async () => {
    const { body } = await returning();
    await finishAtProvider(test, body);
    await expectRefusal({ ...body, code: 'another' }, 'state used before');
  });

  it('of another browser, which leaves the sign-in to its own [DECISIONS §13]', async () => {
    const { body } = await returning();
    await expectRefusal({ ...body, verifier: browserSecret().verifier }, 'another browser');
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 200 });
  });

  it('after ten minutes [DECISIONS §13]', async () => {
    const { body } = await returning();
    test.clock.advance(601);
    await expectRefusal(body, 'state not valid');
    expect(provider.asked).toHaveLength(0);
  });

  it('whose code the provider does not know [DECISIONS §13]', async () => {
    const { body } = await returning();
    provider.answer = async () => ({ status: 400, body: { error: 'invalid_grant' } });
    await expectRefusal(body, 'code or token not valid');
  });
});

describe('two providers', () => {
  it('are not mixed up: a code that comes to the address of one goes to no other [DECISIONS §13]', async () => {
    const { body } = await returning();
    await expectRefusal({ ...body, provider: 'other' }, 'answer of another provider');
    expect([...provider.asked, ...other.asked]).toEqual([]);
  });

  it('are not mixed up: an answer that says it is the other’s is refused before its code is sent [DECISIONS §13]', async () => {
    const { body } = await returning();
    await expectRefusal({ ...body, iss: other.issuer }, 'code or token not valid');
    expect([...provider.asked, ...other.asked]).toEqual([]);
  });

  it('must name themselves where they say that they do [DECISIONS §13]', async () => {
    const { body } = await returning(other, 'other');
    await expectRefusal({ ...body, iss: undefined }, 'code or token not valid');
    expect(other.asked).toEqual([]);
    const again = await returning(other, 'other');
    expect(await finishAtProvider(test, again.body)).toMatchObject({ status: 200 });
  });

  it('may use the same subject for two people [DECISIONS §13]', async () => {
    const first = await finishAtProvider(test, (await returning()).body);
    const second = await finishAtProvider(test, (await returning(other, 'other')).body);
    expect(first.result.id).not.toBe(second.result.id);
  });
});

describe('a provider that fails', () => {
  it.each([
    ['breaks', { status: 500, body: { error: 'server_error' } }],
    ['does not know the console', { status: 401, body: { error: 'invalid_client' } }],
    ['answers something else', { status: 404, body: 'nothing' }],
  ])('%s is a 503 that says so, and opens no session [DECISIONS §13]', async (_how, answer) => {
    const before = await countSessions();
    const { body } = await returning();
    provider.answer = async () => answer;
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 503, title: 'Sign-in service unavailable' });
    expect(await countSessions()).toBe(before);
  });
});

describe('an address that links to a user', () => {
  const metadata: Record<string, unknown> = {};
  let talker: HostileProvider;
  beforeAll(async () => {
    talker = await startHostileProvider(metadata);
    metadata.userinfo_endpoint = `${talker.issuer}/userinfo`;
    const settings = { roles: undefined, createUsers: false, linkByEmail: true };
    oidcProviders.push(providerSettings(talker.issuer, { ...settings, id: 'talker', name: 'Talker' }));
  });
  afterAll(async () => {
    oidcProviders.pop();
    await talker.close();
  });

  const VERIFIED = { email_verified: true };
  const OTHER = { email: 'somebody.else@clinic.test' };
  it.each<[string, object, object, number]>([
    ['and its verification are both in the ID token', { ...VERIFIED }, { ...OTHER, ...VERIFIED }, 200],
    ['is in the ID token, its verification nowhere', {}, {}, 401],
    ['is in the ID token, and another one is verified elsewhere', {}, { ...OTHER, ...VERIFIED }, 401],
    ['is in the ID token, and something is verified elsewhere', {}, { ...VERIFIED }, 401],
    ['is in the ID token as one that is not verified', { email_verified: false }, { ...VERIFIED }, 401],
  ])('%s [DECISIONS §13]', async (_what, inToken, elsewhere, status) => {
    const { userName } = await insertAccount(test);
    const sub = `of ${userName}`;
    const { body, claims } = await returning(talker, 'talker');
    answerWith(talker, { claims: { ...claims, sub, email: `${userName}@people.test`, ...inToken } });
    talker.userInfo = { sub, ...elsewhere };
    const before = await countSessions();
    expect((await finishAtProvider(test, body)).status).toBe(status);
    expect(await countSessions()).toBe(status === 200 ? before + 1 : before);
  });

  it('and its verification are both beside the ID token [DECISIONS §13]', async () => {
    const { userName, id } = await insertAccount(test);
    const sub = `of ${userName}`;
    const { body, claims } = await returning(talker, 'talker');
    answerWith(talker, { claims: { ...claims, sub, ...OTHER } });
    talker.userInfo = { sub, email: `${userName}@people.test`, ...VERIFIED };
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 200, result: { id } });
  });
});

it('accepts none of 300 changed answers, and breaks on none [DECISIONS §13]', async () => {
  const before = await countSessions();
  const statuses = new Set<number>();
  for (let round = 0; round < 300; round += 1) {
    const { body, claims } = await returning();
    const token = await provider.sign({ claims });
    // In turn: a character of the state, of the verifier, of the ID token, and a whole field gone or of another kind.
    const kind = round % 5;
    if (kind === 2) answerWith(provider, changed(token, round));
    // Each is to be looked at: after 50 that were refused, the address would be.
    await test.context.platform.deleteFrom('signInAttempts').execute();
    const answer = await finishAtProvider(test, {
      ...body,
      ...(kind === 0 && { state: changed(body.state, round) }),
      ...(kind === 1 && { verifier: changed(body.verifier, round) }),
      ...(kind === 3 && { [Object.keys(body)[round % 4] ?? 'code']: [null, '', 7, {}, ['a'], 'a\u0000'][round % 6] }),
      ...(kind === 4 && { iss: changed(provider.issuer, round) }),
    });
    statuses.add(answer.status);
  }
  // 503: an ID token that is no JWT is the provider's own failure.
  expect([...statuses].filter((status) => ![400, 401, 404, 503].includes(status))).toEqual([]);
  expect(await countSessions()).toBe(before);
});

it('fills no trail with answers that do not count, and lets them hide none of another kind [DECISIONS §12]', async () => {
  const { body } = await returning();
  const reasons = async () => {
    const entries = test.context.platform.selectFrom('auditEntries').select('changes').orderBy('id');
    return (await entries.where('action', '=', 'auth.sign-in-failed').execute()).map(({ changes }) => changes);
  };
  // What was noted before counts no longer.
  test.clock.advance(100 * 60);
  const before = (await reasons()).length;
  const finish = () => finishAtProvider(test, { ...body, state: 'x' });
  const answers = await inGroups(150, finish);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await reasons()).length - before).toBe(100);
  const fresh = (await returning()).body;
  await expectRefusal({ ...fresh, verifier: browserSecret().verifier }, 'another browser');
});

it('keeps no row of an answer that a delay refuses: without an account nobody fills a table [DECISIONS §13]', async () => {
  const { platform } = test.context;
  await platform.deleteFrom('signInAttempts').execute();
  await platform.deleteFrom('usedProviderTokens').execute();
  const statuses: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const { body } = await returning();
    provider.answer = async () => ({ status: 400, body: { error: 'invalid_grant' } });
    statuses.push((await finishAtProvider(test, body)).status);
  }
  expect([statuses.slice(0, 50), statuses.slice(50)].map((some) => [...new Set(some)])).toEqual([[401], [429]]);
  expect(await platform.selectFrom('usedProviderTokens').select('digest').execute()).toHaveLength(50);
});

/** A text with another character at a place, of the same alphabet where that is base64url. */
function changed(value: string, round: number): string {
  // The last character of base64url may have bits that count for nothing.
  const at = (round * 7919) % (value.length - 1);
  const [replacement] = [...'Abc0-'].filter((character) => character !== value[at]);
  return value.slice(0, at) + replacement + value.slice(at + 1);
}
