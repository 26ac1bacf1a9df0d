import { accountRoutes } from '@apotheca/contract/account';
import { roleRoutes } from '@apotheca/contract/roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { useTestApp } from '../../../testing/app.ts';
import { type HostileProvider, startHostileProvider } from '../../../testing/hostile-provider.ts';
import { usePresent } from '../../../testing/present.ts';
import {
  CLIENT,
  type ProviderProcess,
  ProviderVisitor,
  providerSettings,
  startProvider,
} from '../../../testing/provider.ts';
import {
  answerOf,
  beginAtProvider,
  browserSecret,
  CONSOLE,
  finishAtProvider,
  signInByProvider,
} from '../../../testing/provider-sign-in.ts';

const oidcProviders: OidcProvider[] = [];
const test = useTestApp({ oidcProviders, publicUrl: CONSOLE });
// Providers go by the real clock.
const present = usePresent(test);

const SETTINGS = { roles: { everybody: 'Administrator' }, createUsers: true };
let provider: ProviderProcess;
let hostile: HostileProvider;

beforeAll(async () => {
  [provider, hostile] = await Promise.all([startProvider(), startHostileProvider()]);
  await provider.open(CONSOLE);
  for (const login of ['ada', 'eve']) {
    await provider.account(login, { preferred_username: login, groups: ['everybody'] });
  }
  oidcProviders.push(
    providerSettings(provider.issuer, SETTINGS),
    providerSettings(hostile.issuer, { ...SETTINGS, id: 'other', name: 'Other' }),
  );
});
afterAll(() => Promise.all([provider.close(), hostile.close()]));

interface Session {
  id: string;
  accessToken: string;
}

/** Makes the proof of a person's sessions too old. */
const age = ({ id }: Session) =>
  test.context.platform
    .updateTable('sessions')
    .set({ provedAt: new Date(0) })
    .where('userId', '=', id)
    .execute();
const deed = ({ accessToken: token }: Session) =>
  test.call(roleRoutes.create, { token, body: { roleName: `Role ${crypto.randomUUID().slice(0, 8)}` } });
const newestEntry = () =>
  test.context.platform.selectFrom('auditEntries').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();

async function beginProof({ accessToken: token }: Session) {
  const { verifier, challenge } = browserSecret();
  const answer = await test.call(accountRoutes.beginProviderProof, { body: { challenge }, token });
  expect(answer.status).toBe(200);
  return { url: new URL(answer.result.url), verifier };
}
const finishProof = ({ accessToken: token }: Session, body: Record<string, unknown>) =>
  test.call(accountRoutes.proveByProvider, { body, token });

/** Refused, audited with the reason, and nothing is proved. */
async function expectRefusal(session: Session, body: Record<string, unknown>, reason: string) {
  expect(await finishProof(session, body)).toMatchObject({ status: 400 });
  expect(await newestEntry()).toMatchObject({
    action: 'auth.prove-failed',
    actorId: session.id,
    changes: { method: 'provider', reason },
  });
  expect(await deed(session)).toMatchObject({ status: 403, title: 'Proof needed' });
}

describe('a proof by a real provider', () => {
  it('asks the person to sign in there anew, and opens what wants a fresh proof [DECISIONS §13]', async () => {
    const visitor = new ProviderVisitor(CONSOLE);
    const { result: session } = await signInByProvider(test, 'ada', visitor);
    await age(session);
    expect(await deed(session)).toMatchObject({ status: 403, title: 'Proof needed' });
    const ways = await test.call(accountRoutes.proofWays, { token: session.accessToken });
    expect(ways.result).toEqual({
      password: false,
      code: false,
      passkeys: false,
      provider: { id: 'clinic', name: 'Clinic' },
    });
    const { url, verifier } = await beginProof(session);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ prompt: 'login', max_age: '0', scope: 'openid' });
    const proved = await finishProof(session, answerOf(await visitor.signIn(url.href, 'ada'), verifier));
    expect(proved).toMatchObject({ status: 200, message: 'Thank you.' });
    expect(await newestEntry()).toMatchObject({ action: 'auth.prove', changes: { method: 'provider' } });
    expect((await deed(session)).status).toBe(200);
  });

  it('counts for nobody else [DECISIONS §13]', async () => {
    const { result: session } = await signInByProvider(test, 'ada');
    await age(session);
    const { url, verifier } = await beginProof(session);
    const returned = await new ProviderVisitor(CONSOLE).signIn(url.href, 'eve');
    await expectRefusal(session, answerOf(returned, verifier), 'another person');
  });

  it('is not offered to a session that no provider has opened [DECISIONS §13]', async () => {
    const { challenge } = browserSecret();
    const token = present.token();
    expect((await test.call(accountRoutes.proofWays, { token })).result).toMatchObject({ provider: null });
    const refused = await test.call(accountRoutes.beginProviderProof, { body: { challenge }, token });
    expect(refused).toMatchObject({ status: 404, message: 'No provider has opened this session.' });
  });
});

describe('an answer to a proof is refused', () => {
  const seconds = () => Math.floor(Date.now() / 1000);

  /** Lets the provider answer with an ID token for the request of `url`. */
  function answerWith(url: URL, claims: Record<string, unknown> = {}): void {
    const nonce = url.searchParams.get('nonce');
    const all = {
      ...{ iss: hostile.issuer, aud: CLIENT.id, sub: 'ada', iat: seconds(), exp: seconds() + 300, nonce },
      ...{ auth_time: seconds(), preferred_username: 'ada elsewhere', groups: ['everybody'], ...claims },
    };
    hostile.answer = async () => ({
      body: { access_token: 'opaque', token_type: 'Bearer', id_token: await hostile.sign({ claims: all }) },
    });
  }
  const bodyOf = ({ url, verifier }: { url: URL; verifier: string }) => ({
    provider: 'other',
    code: 'the-code',
    state: url.searchParams.get('state') ?? '',
    verifier,
  });

  /** A person who has signed in by the provider long ago. */
  async function signedIn(): Promise<Session> {
    const begun = await beginAtProvider(test, 'other');
    answerWith(begun.url);
    const { result } = await finishAtProvider(test, bodyOf(begun));
    await age(result);
    return result;
  }

  /** A proof that is begun, and whose answer is in order but for these claims. */
  async function begun(session: Session, claims: Record<string, unknown> = {}) {
    const proof = await beginProof(session);
    answerWith(proof.url, claims);
    return bodyOf(proof);
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['of somebody else', { sub: 'eve' }, 'another person'],
    ['of who has signed in before', { auth_time: seconds() - 60 }, 'signed in before'],
    ['that does not say when they signed in', { auth_time: undefined }, 'signed in before'],
    ['with the nonce of another request', { nonce: 'replayed' }, 'code or token not valid'],
    ['for another console', { aud: 'another' }, 'code or token not valid'],
  ])('%s [DECISIONS §13]', async (_what, claims, reason) => {
    const session = await signedIn();
    await expectRefusal(session, await begun(session, claims), reason);
  });

  it('that was given before [DECISIONS §13]', async () => {
    const session = await signedIn();
    const body = await begun(session);
    expect(await finishProof(session, body)).toMatchObject({ status: 200 });
    await age(session);
    await expectRefusal(session, body, 'state used before');
  });

  it('of another session of the same person [DECISIONS §13]', async () => {
    const [session, elsewhere] = [await signedIn(), await signedIn()];
    expect(elsewhere.id).toBe(session.id);
    await expectRefusal(session, await begun(elsewhere), 'another session');
  });

  it('of another browser, and of another provider [DECISIONS §13]', async () => {
    const session = await signedIn();
    await expectRefusal(session, { ...(await begun(session)), verifier: browserSecret().verifier }, 'another browser');
    await expectRefusal(session, { ...(await begun(session)), provider: 'clinic' }, 'answer of another provider');
  });

  it('to a sign-in, and the answer to a proof opens no session [DECISIONS §13]', async () => {
    const session = await signedIn();
    const signIn = await beginAtProvider(test, 'other');
    answerWith(signIn.url);
    await expectRefusal(session, bodyOf(signIn), 'state not valid');
    const body = await begun(session);
    expect(await finishAtProvider(test, body)).toMatchObject({ status: 401 });
    expect(await newestEntry()).toMatchObject({
      action: 'auth.sign-in-failed',
      changes: { reason: 'state not valid' },
    });
    // It counts where it belongs.
    expect(await finishProof(session, body)).toMatchObject({ status: 200 });
  });

  it('after ten minutes, and after the end of the session [DECISIONS §13]', async () => {
    const session = await signedIn();
    const body = await begun(session);
    await test.context.platform
      .updateTable('sessions')
      .set({ revokedAt: test.context.now() })
      .where('userId', '=', session.id)
      .execute();
    expect(await finishProof(session, body)).toMatchObject({ status: 401 });
    const again = await signedIn();
    const late = await begun(again);
    test.clock.advance(601);
    await expectRefusal(again, late, 'state not valid');
  });
});
