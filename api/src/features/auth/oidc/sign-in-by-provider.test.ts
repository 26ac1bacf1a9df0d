import { authRoutes } from '@apotheca/contract/auth';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { insertAccount, roleIdOf } from '../../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { type Answer, useTestApp } from '../../../testing/app.ts';
import { meetAtRow } from '../../../testing/lock-order.ts';
import { patiently } from '../../../testing/patiently.ts';
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
import { urlOf } from '../../../testing/routes.ts';

const oidcProviders: OidcProvider[] = [];
const test = useTestApp({ oidcProviders, publicUrl: CONSOLE });
let provider: ProviderProcess;
let made = 0;

const ROLES = { admins: 'Administrator', nurses: 'Operator', everybody: 'Viewer' };
const NOT_ALLOWED = 'Your account may not use this console. Please ask an administrator.';

beforeAll(async () => {
  provider = await startProvider();
  await provider.open(CONSOLE);
});
afterAll(() => provider.close());
beforeEach(() => settings({}));

const settings = (changed: Record<string, unknown>) =>
  oidcProviders.splice(0, 1, providerSettings(provider.issuer, { roles: ROLES, createUsers: true, ...changed }));

/** A person at the provider. */
async function newPerson(claims: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const login = `person-${made}`;
  const names = { preferred_username: login, given_name: 'Ada', family_name: 'Byron' };
  const mail = { email: `${login}@clinic.test`, email_verified: true };
  await provider.account(login, { ...names, ...mail, groups: ['everybody'], ...claims });
  return login;
}

const userOf = async (subject: string) =>
  test.context.platform
    .selectFrom('userIdentities')
    .innerJoin('users', 'users.id', 'userIdentities.userId')
    .innerJoin('roles', 'roles.id', 'users.roleId')
    .selectAll('users')
    .select('roles.name as role')
    .where('subject', '=', subject)
    .executeTakeFirst();
const newestEntry = () =>
  test.context.platform.selectFrom('auditEntries').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
const countSessions = async () => (await test.context.platform.selectFrom('sessions').select('id').execute()).length;

/** Refused as everybody is who may not sign in, with the reason in the audit trail only, and without a session. */
async function expectRefusal(login: string, reason: string) {
  const before = await countSessions();
  expect(await signInByProvider(test, login)).toMatchObject({ status: 401, message: NOT_ALLOWED });
  expect(await newestEntry()).toMatchObject({ action: 'auth.sign-in-failed', changes: { reason, subject: login } });
  expect(await countSessions()).toBe(before);
}

describe('a sign-in by a provider', () => {
  it('makes a user with the role of the first group that counts, and answers as every sign-in [DECISIONS §13]', async () => {
    const login = await newPerson({ groups: ['others', 'everybody', 'nurses'] });
    const answer = await signInByProvider(test, login);
    expect(answer).toMatchObject({ status: 200, message: 'Login Successful.' });
    expect(answer.result).toMatchObject({ username: login, firstName: 'Ada', lastName: 'Byron', role: 'Operator' });
    expect(await newestEntry()).toMatchObject({ action: 'auth.sign-in', changes: { provider: 'Clinic' } });
    const me = await test.call(authRoutes.me, { token: answer.result.accessToken });
    expect(me.result).toMatchObject({ username: login, email: `${login}@clinic.test` });
    expect(await userOf(login)).toMatchObject({ passwordHash: null, isActive: true });
  });

  it('finds the same user again, and shows by which provider the session came [DECISIONS §13]', async () => {
    const login = await newPerson();
    const first = await signInByProvider(test, login);
    await provider.account(login, { preferred_username: 'somebody-else', groups: ['everybody'] });
    const second = await signInByProvider(test, login);
    expect(second.result).toMatchObject({ id: first.result.id, username: login });
    const { result } = await test.call(authRoutes.listSessions, { token: second.result.accessToken });
    expect(result.map((session: { provider: string }) => session.provider)).toEqual(['Clinic', 'Clinic']);
    const own = await test.call(authRoutes.listSessions);
    expect(own.result[0]).toMatchObject({ provider: '' });
  });

  it('follows the groups at each sign-in: a changed role ends the other sessions and is audited [DECISIONS §13]', async () => {
    const login = await newPerson();
    const first = await signInByProvider(test, login);
    await provider.account(login, { preferred_username: login, groups: ['nurses'] });
    expect((await signInByProvider(test, login)).result).toMatchObject({ role: 'Operator' });
    expect(await test.call(authRoutes.me, { token: first.result.accessToken })).toMatchObject({ status: 401 });
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select(['actorName', 'changes'])
      .where('action', '=', 'users.edit')
      .where('entityId', '=', first.result.id)
      .execute();
    const roleId = [await roleIdOf(test, 'Viewer'), await roleIdOf(test, 'Operator')];
    expect(entries).toEqual([{ actorName: 'Clinic', changes: { roleId, version: [1, 2] } }]);
  });

  it('leaves roles to the console where the settings name none [DECISIONS §13]', async () => {
    settings({ roles: undefined, createUsers: false, linkByEmail: true });
    const login = await newPerson({ groups: [] });
    await insertAccount(test, { role: 'Operator', email: `${login}@clinic.test` });
    expect((await signInByProvider(test, login)).result).toMatchObject({ role: 'Operator' });
  });

  it('opens one session of 50 answers with one code at once [DECISIONS §13]', async () => {
    const login = await newPerson();
    const { url, verifier } = await beginAtProvider(test);
    const body = answerOf(await new ProviderVisitor(CONSOLE).signIn(url.href, login), verifier);
    const answers = await Promise.all(Array.from({ length: 50 }, () => patiently(() => finishAtProvider(test, body))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(401)]);
    const user = await userOf(login);
    const sessions = await test.context.platform
      .selectFrom('sessions')
      .where('userId', '=', user?.id ?? '')
      .execute();
    expect(sessions).toHaveLength(1);
  });

  it('makes one user of a person who signs in for the first time in ten browsers at once [DECISIONS §13]', async () => {
    const login = await newPerson();
    // On a busy machine the provider may take too long for ten at once. Then a person signs in anew.
    const signIn = async (): Promise<Answer> => {
      const answer = await signInByProvider(test, login);
      return answer.status === 503 && answer.title === 'Sign-in service unavailable' ? signIn() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 10 }, signIn));
    expect(new Set(answers.map(({ status, result }) => `${status} ${result?.id}`)).size).toBe(1);
  });

  it('sends no secret to the browser, and takes no other address to return to [DECISIONS §13]', async () => {
    const { challenge } = browserSecret();
    const body = { provider: 'clinic', challenge, redirect_uri: 'https://evil.test', returnTo: '//evil.test' };
    const answer = await test.call(openIdConnectRoutes.beginSignIn, { body, token: null });
    const url = new URL(answer.result.url);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('redirect_uri')).toBe(`${CONSOLE}/login/callback/clinic`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    const config = await test.app.inject('/config.json');
    expect(config.json()).toMatchObject({ signInProviders: [{ id: 'clinic', name: 'Clinic' }] });
    for (const text of [JSON.stringify(answer), config.body]) {
      expect(decodeURIComponent(text)).not.toContain(CLIENT.secret);
      expect(text).not.toContain('evil.test');
    }
  });

  it('keeps the tokens of the provider encrypted [DECISIONS §13]', async () => {
    settings({ parameters: { prompt: 'consent' } });
    await signInByProvider(test, await newPerson());
    const kept = await test.context.platform.selectFrom('providerSessions').selectAll().orderBy('checkedAt').execute();
    const newest = kept.find(({ refreshToken }) => refreshToken !== null);
    expect(newest).toBeDefined();
    // The header of every JWT begins with '{"' in base64url.
    expect(newest?.idToken.includes('eyJ')).toBe(false);
  });
});

describe('a person who is new here', () => {
  it('gets the user with their verified e-mail address, where the settings say so [DECISIONS §13]', async () => {
    settings({ createUsers: false, linkByEmail: true });
    const login = await newPerson({ groups: ['nurses'] });
    const { id } = await insertAccount(test, { role: 'Operator', email: `${login}@CLINIC.test` });
    expect((await signInByProvider(test, login)).result).toMatchObject({ id });
    const { entity, entityId, changes } = await test.context.platform
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'users.link')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect({ entity, entityId, changes }).toEqual({
      entity: 'users',
      entityId: id,
      changes: { provider: 'Clinic', subject: login },
    });
  });

  it('gets the user with another role beside a sign-in by password: the two wait for each other in turn [DECISIONS §13]', async () => {
    settings({ createUsers: false, linkByEmail: true });
    const login = await newPerson({ groups: ['nurses'] });
    const { id } = await insertAccount(test, { role: 'Viewer', email: `${login}@clinic.test` });
    const user = sql`select from users where id = ${id}::uuid for no key update`;
    expect(await meetAtRow(test, user, () => signInByProvider(test, login))).toMatchObject({
      status: 200,
      result: { id, role: 'Operator' },
    });
    const entries = test.context.platform.selectFrom('auditEntries').select('action').where('entityId', '=', id);
    const actions = (await entries.orderBy('id').execute()).map(({ action }) => action);
    expect(actions).toEqual(['users.link', 'users.edit', 'auth.sign-in']);
  });

  it.each([
    ['the address is not verified', { linkByEmail: true }, { email_verified: false }],
    ['the provider says it in another form', { linkByEmail: true }, { email_verified: 'true' }],
    ['the settings do not say so', { linkByEmail: false }, {}],
  ])('gets no user of that address where %s [DECISIONS §13]', async (_why, changed, claims) => {
    settings({ createUsers: false, ...changed });
    const login = await newPerson(claims);
    await insertAccount(test, { email: `${login}@clinic.test` });
    await expectRefusal(login, 'unknown person');
  });

  it.each([
    ['a ligature', '\ufb01ona'],
    ['a full-width letter', '\uff46iona'],
    ['a soft hyphen', 'fi\u00adona'],
  ])('gets no user by an address that only looks alike, with %s [DECISIONS §13]', async (_what, name) => {
    settings({ createUsers: false, linkByEmail: true });
    const host = `clinic${made}.test`;
    await insertAccount(test, { email: `fiona@${host}` });
    await expectRefusal(await newPerson({ email: `${name}@${host}` }), 'unknown person');
  });

  it('gets no user whom another person at the provider has already [DECISIONS §13]', async () => {
    settings({ createUsers: false, linkByEmail: true });
    const [first, second] = [await newPerson(), await newPerson()];
    await insertAccount(test, { email: `${first}@clinic.test` });
    expect(await signInByProvider(test, first)).toMatchObject({ status: 200 });
    await provider.account(second, { email: `${first}@clinic.test`, email_verified: true, groups: ['everybody'] });
    await expectRefusal(second, 'unknown person');
  });

  it('gets no name that somebody else has: they sign in with either [DECISIONS §13]', async () => {
    const login = await newPerson();
    await insertAccount(test, { userName: login, email: 'another@clinic.test' });
    expect((await signInByProvider(test, login)).result).toMatchObject({ username: '', email: `${login}@clinic.test` });
    const other = await newPerson({ email: 'another@clinic.test' });
    await expectRefusal(other, 'This Email is taken already.');
  });

  it.each([
    ['names too long for a user', { preferred_username: 'x'.repeat(21), given_name: 'y'.repeat(50) }],
    ['half a character at the limit', { given_name: `${'y'.repeat(39)}\u{1f600}` }],
    ['names that no text can hold', { preferred_username: 'a\u0000b', given_name: 'a\ud800', family_name: 7 }],
    ['no name', { preferred_username: undefined, given_name: undefined, family_name: undefined }],
  ])('is made a user with %s [DECISIONS §13]', async (_what, claims) => {
    const login = await newPerson(claims);
    expect(await signInByProvider(test, login)).toMatchObject({ status: 200 });
    expect((await userOf(login))?.firstName.length).toBeGreaterThan(0);
  });
});

describe('whoever may not sign in', () => {
  it.each([
    ['is in no group that has a role', ['others'], 'in no group that has a role'],
    ['is in no group', undefined, 'in no group that has a role'],
    ['has groups in another form', { everybody: true }, 'in no group that has a role'],
  ])('%s [DECISIONS §13]', async (_why, groups, reason) => {
    await expectRefusal(await newPerson({ groups }), reason);
  });

  it('is in a group whose role there is not [DECISIONS §13]', async () => {
    settings({ roles: { everybody: 'Pharmacist' } });
    await expectRefusal(await newPerson(), 'there is no role Pharmacist');
  });

  it.each([
    ['inactive', { isActive: false }, 'inactive user'],
    ['deleted', { deletedAt: new Date() }, 'deleted user'],
  ])('has a user here who is %s [DECISIONS §13]', async (_what, fields, reason) => {
    const login = await newPerson();
    const { result } = await signInByProvider(test, login);
    await test.context.platform.updateTable('users').set(fields).where('id', '=', result.id).execute();
    await expectRefusal(login, reason);
  });

  it('is the last administrator, whose groups say otherwise now: nothing changes [DECISIONS §13]', async () => {
    settings({ linkByEmail: true, createUsers: false });
    const login = await newPerson({ groups: ['everybody'] });
    const { platform } = test.context;
    const admin = platform.updateTable('users').where('userName', '=', ADMINISTRATOR.userName);
    await admin.set({ email: `${login}@clinic.test` }).execute();
    await expectRefusal(login, 'At least one active Administrator with a password must stay.');
    expect(await userOf(login)).toBeUndefined();
    expect(await test.signIn()).toMatchObject({ status: 200, result: { role: 'Administrator' } });
  });
});

describe('other ways to sign in', () => {
  it('are as they were: a password works beside the provider [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    expect(await test.signIn(userName)).toMatchObject({ status: 200 });
  });

  it('a provider that the settings do not name is not there [DECISIONS §13]', async () => {
    const body = { provider: 'other', challenge: browserSecret().challenge };
    expect(await test.call(openIdConnectRoutes.beginSignIn, { body, token: null })).toMatchObject({ status: 404 });
  });

  it('a provider that is away is so for its own sign-in only, until it is back [DECISIONS §13]', async () => {
    settings({});
    await provider.answers(false);
    const body = { provider: 'clinic', challenge: browserSecret().challenge };
    expect(await test.call(openIdConnectRoutes.beginSignIn, { body, token: null })).toMatchObject({
      status: 503,
      title: 'Sign-in service unavailable',
    });
    expect(await test.signIn()).toMatchObject({ status: 200 });
    await provider.answers(true);
    expect(await test.call(openIdConnectRoutes.beginSignIn, { body, token: null })).toMatchObject({ status: 200 });
  });
});

describe('answers that the provider refuses', () => {
  const refusedAnswer = async (remoteAddress: string) => {
    const { url, verifier } = await beginAtProvider(test);
    const state = url.searchParams.get('state');
    const payload = { provider: 'clinic', code: 'x', state, iss: provider.issuer, verifier };
    return finishFrom(remoteAddress, payload);
  };
  const finishFrom = async (remoteAddress: string, payload: object) => {
    const url = urlOf(openIdConnectRoutes.finishSignIn);
    return (await test.app.inject({ method: 'POST', url, remoteAddress, payload })).json();
  };

  it('are counted by the address: after 50 the provider is not asked, but for others', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 60; times += 1) statuses.push((await refusedAnswer('192.0.2.1')).status);
    expect(statuses).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
    expect(await newestEntry()).toMatchObject({ action: 'auth.sign-in-blocked' });
    const { url, verifier } = await beginAtProvider(test);
    const returned = await new ProviderVisitor(CONSOLE).signIn(url.href, await newPerson());
    expect(await finishFrom('192.0.2.2', answerOf(returned, verifier))).toMatchObject({ status: 200 });
    const { userName } = await insertAccount(test);
    const payload = { username: userName, password: 'wrong horse' };
    const byPassword = {
      method: 'POST',
      url: urlOf(authRoutes.authenticate),
      remoteAddress: '192.0.2.1',
      payload,
    } as const;
    expect((await test.app.inject(byPassword)).json()).toMatchObject({ status: 401 });
  });

  it('are counted without those of people who got in', async () => {
    const countOf = async () =>
      (
        await test.context.platform
          .selectFrom('signInAttempts')
          .select('attempts')
          .where('subject', '=', 'provider-answer address:192.0.2.3')
          .executeTakeFirst()
      )?.attempts;
    await refusedAnswer('192.0.2.3');
    const { url, verifier } = await beginAtProvider(test);
    const returned = await new ProviderVisitor(CONSOLE).signIn(url.href, await newPerson());
    expect(await finishFrom('192.0.2.3', answerOf(returned, verifier))).toMatchObject({ status: 200 });
    expect(await countOf()).toBe(1);
  });
});
