import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes } from '@apotheca/contract/auth';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { CODE_REQUIRED, type PasskeyAssertion } from '@apotheca/contract/second-factors';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { patiently } from '../../testing/patiently.ts';
import {
  addPasskeyTo,
  askForPasskey,
  codeOf,
  codeStep,
  insertTotpAccount,
  ORIGIN,
  passkeyStep,
  passwordStep,
  wrongCodeOf,
} from '../../testing/second-factors.ts';
import { SoftwarePasskey } from '../../testing/software-passkey.ts';

const test = useTestApp();
const { password } = ADMINISTRATOR;
const AT_LOCALHOST = { host: 'localhost:3000' };
const WRONG = 'wrong horse';

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

/** Somebody whose sign-in was too long ago to prove anything. */
interface Person extends Account {
  token: string;
}

async function ageProofs({ id }: Account): Promise<void> {
  const sessions = test.context.platform.updateTable('sessions').set({ provedAt: new Date(0) });
  await sessions.where('userId', '=', id).where('kind', '=', 'console').execute();
}

async function insertPasskeyPerson() {
  const account = await insertAccount(test);
  const token = (await signInTo(test, account)).accessToken;
  const person = { ...account, token, passkey: await addPasskeyTo(test, token) };
  await ageProofs(person);
  return person;
}

async function insertTotpPerson() {
  const person = await insertTotpAccount(test);
  await ageProofs(person);
  return person;
}

/** Whether a call that wants a fresh proof is open to a session. */
async function isFresh({ token }: Pick<Person, 'token'>): Promise<boolean> {
  const { status } = await test.call(authRoutes.generateToken, { body: { name: 'script', minutes: 5 }, token });
  expect([200, 403]).toContain(status);
  return status === 200;
}

/** The newest entries of somebody in the audit trail, oldest first. */
async function entriesOf({ id }: Account, count = 1) {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
  return (await entries.where('actorId', '=', id).orderBy('id', 'desc').limit(count).execute()).toReversed();
}

const waysOf = async ({ token }: Pick<Person, 'token'>, headers = AT_LOCALHOST) =>
  (await test.call(accountRoutes.proofWays, { token, headers })).result;

const prove = ({ token }: Pick<Person, 'token'>, body: object) =>
  test.call(accountRoutes.prove, { body: { password, ...body }, token });

async function begin({ token }: Pick<Person, 'token'>) {
  test.clock.advance(1);
  return (await test.call(accountRoutes.beginPasskeyProof, { token, headers: AT_LOCALHOST })).result;
}

const answer = ({ token }: Pick<Person, 'token'>, begun: { token: string }, credential: PasskeyAssertion) =>
  test.call(accountRoutes.proveByPasskey, { token, headers: AT_LOCALHOST, body: { token: begun.token, credential } });

const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

describe('by what somebody can prove who they are', () => {
  it('is what would sign them in at this address of the console [DECISIONS §13]', async () => {
    const [passkeys, totp, plain] = [await insertPasskeyPerson(), await insertTotpPerson(), await insertAccount(test)];
    expect(await waysOf(passkeys)).toEqual({ password: true, code: true, passkeys: true, provider: null });
    expect(await waysOf(passkeys, { host: '127.0.0.1:3000' })).toMatchObject({ passkeys: false });
    expect(await waysOf(totp)).toEqual({ password: true, code: true, passkeys: false, provider: null });
    const token = (await signInTo(test, plain)).accessToken;
    expect(await waysOf({ token })).toEqual({ password: true, code: false, passkeys: false, provider: null });
    await test.context.platform.updateTable('users').set({ passwordHash: null }).where('id', '=', plain.id).execute();
    expect(await waysOf({ token })).toMatchObject({ password: false });
  });
});

describe('a proof of somebody with an authenticator app', () => {
  it('takes the code with the password, and no code twice [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const missing = await prove(person, {});
    expect(missing).toMatchObject({ status: 400, errors: { code: [CODE_REQUIRED] } });
    expect(await isFresh(person)).toBe(false);
    const code = codeOf(test, person.secret);
    expect(await prove(person, { code })).toMatchObject({
      status: 200,
      result: { provedOnUtc: test.clock.now.toISOString() },
    });
    expect(await isFresh(person)).toBe(true);
    expect((await entriesOf(person, 2))[0]).toEqual({ action: 'auth.prove', changes: { method: 'totp' } });
    await ageProofs(person);
    const again = await prove(person, { code });
    expect(again).toMatchObject({ status: 400, errors: { code: [expect.stringContaining('was used before')] } });
    expect(await entriesOf(person)).toEqual([{ action: 'auth.prove-failed', changes: { method: 'totp' } }]);
    expect(await isFresh(person)).toBe(false);
  });

  it('takes no code that has signed in, and the sign-in none that has proved [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const first = codeOf(test, person.secret);
    expect((await codeStep(test, await passwordStep(test, person), first)).status).toBe(200);
    expect((await prove(person, { code: first })).status).toBe(400);
    test.clock.advance(30);
    const second = codeOf(test, person.secret);
    expect((await prove(person, { code: second })).status).toBe(200);
    expect((await codeStep(test, await passwordStep(test, person), second)).status).toBe(401);
  });

  it('takes one of two equal codes at once [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const code = codeOf(test, person.secret);
    const answers = await Promise.all([prove(person, { code }), prove(person, { code })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('takes a recovery code, once, and none of somebody else [DECISIONS §13]', async () => {
    const [person, other] = [await insertTotpPerson(), await insertTotpPerson()];
    const [code = ''] = person.recoveryCodes;
    expect((await prove(other, { code })).status).toBe(400);
    expect((await prove(person, { code })).status).toBe(200);
    expect((await entriesOf(person))[0]).toEqual({ action: 'auth.prove', changes: { method: 'recovery' } });
    expect((await prove(person, { code })).status).toBe(400);
  });

  it('needs the right password first [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const refused = await prove(person, { password: WRONG, code: codeOf(test, person.secret) });
    expect(refused).toMatchObject({ status: 400, errors: { password: [WRONG_PASSWORD] } });
    expect(await isFresh(person)).toBe(false);
    expect((await prove(person, { code: codeOf(test, person.secret) })).status).toBe(200);
  });

  it('shares its guesses with the second step of the sign-in: of 30 at once 5 are tried [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const code = wrongCodeOf(test, person.secret);
    const answers = await Promise.all(Array.from({ length: 30 }, () => prove(person, { code })));
    const statuses = answers.map(({ status }) => status);
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 25]);
    // What is left are the guesses of codes: those at once have blocked the password and the address too.
    const others = test.context.platform.deleteFrom('signInAttempts').where('subject', '!=', `factor:${person.id}`);
    await others.execute();
    const right = codeOf(test, person.secret);
    expect((await prove(person, { code: right })).status).toBe(429);
    expect((await codeStep(test, await passwordStep(test, person), right)).status).toBe(429);
    test.clock.advance(1);
    expect((await prove(person, { code: right })).status).toBe(200);
  });

  it('is none by a new password of their own, which takes no code [DECISIONS §13]', async () => {
    const person = await insertTotpPerson();
    const chosen = 'staple battery 9';
    const body = { currentPassword: password, password: chosen, confirmPassword: chosen };
    expect((await test.call(accountRoutes.changePassword, { body, token: person.token })).status).toBe(200);
    expect(await isFresh(person)).toBe(false);
  });
});

describe('a proof by a passkey', () => {
  it('needs no password, and opens this session alone [DECISIONS §13]', async () => {
    const person = await insertPasskeyPerson();
    const elsewhere = (await passkeySession(person)).token;
    await ageProofs(person);
    const begun = await begin(person);
    expect(begun.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(begun.options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([person.passkey.id]);
    const proved = await answer(person, begun, person.passkey.sign(begun.options));
    expect(proved).toMatchObject({ status: 200, result: { provedOnUtc: test.clock.now.toISOString() } });
    expect((await entriesOf(person))[0]).toEqual({ action: 'auth.prove', changes: { method: 'passkey' } });
    expect([await isFresh(person), await isFresh({ token: elsewhere })]).toEqual([true, false]);
  });

  it('takes a challenge once, also twice at once, and none that is older [DECISIONS §13]', async () => {
    const person = await insertPasskeyPerson();
    const [older, begun] = [await begin(person), await begin(person)];
    const signed = [person.passkey.sign(begun.options), person.passkey.sign(begun.options)];
    const statuses = (await Promise.all(signed.map((one) => answer(person, begun, one)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
    await ageProofs(person);
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(400);
    expect((await answer(person, older, person.passkey.sign(older.options))).status).toBe(400);
    expect(await isFresh(person)).toBe(false);
  });

  it('takes no challenge of another session, another person or a sign-in, and none gives a session [DECISIONS §13]', async () => {
    const [person, other] = [await insertPasskeyPerson(), await insertPasskeyPerson()];
    const elsewhere = await passkeySession(person);
    await ageProofs(person);
    const expired = { status: 400, errors: { token: [expect.stringContaining('too long')] } };
    const begun = await begin(elsewhere);
    expect(await answer(person, begun, person.passkey.sign(begun.options))).toMatchObject(expired);
    const others = await begin(other);
    expect(await answer(person, others, person.passkey.sign(others.options))).toMatchObject(expired);
    const signIn = await askForPasskey(test);
    expect(await answer(person, signIn, person.passkey.sign(signIn.options))).toMatchObject(expired);
    expect(await entriesOf(person)).toEqual([{ action: 'auth.prove-failed', changes: { method: 'passkey' } }]);
    const own = await begin(person);
    expect((await passkeyStep(test, own.token, person.passkey.sign(own.options))).status).toBe(401);
    expect(await isFresh(person)).toBe(false);
  });

  it("takes no other person's passkey, an unknown one, and none that was removed [DECISIONS §13]", async () => {
    const [person, other] = [await insertPasskeyPerson(), await insertPasskeyPerson()];
    const begun = await begin(person);
    expect((await answer(person, begun, other.passkey.sign(begun.options))).status).toBe(400);
    expect((await answer(person, begun, new SoftwarePasskey(ORIGIN).sign(begun.options))).status).toBe(400);
    await test.context.platform.deleteFrom('passkeys').where('userId', '=', person.id).execute();
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(400);
    expect(await isFresh(person)).toBe(false);
    const none = await test.call(accountRoutes.beginPasskeyProof, { token: person.token, headers: AT_LOCALHOST });
    expect(none).toMatchObject({ status: 404, message: 'You have no passkey.' });
  });

  it('ends after five minutes [DECISIONS §13]', async () => {
    const person = await insertPasskeyPerson();
    const begun = await begin(person);
    test.clock.advance(301);
    const late = await answer(person, begun, person.passkey.sign(begun.options));
    expect(late).toMatchObject({ status: 400, message: 'This has taken too long: please try again.' });
    expect(await isFresh(person)).toBe(false);
  });

  it.each([
    ['of another site', { origin: 'http://localhost:4000' }],
    ['for another name', { rpId: 'evil.test' }],
    ['of another challenge', { challenge: 'AAAA' }],
    ['without verifying who is there', { flags: 1 }],
    ['that makes a passkey', { type: 'webauthn.create' }],
  ])('refuses a signature %s, and is audited [DECISIONS §13]', async (_, differences) => {
    const person = await insertPasskeyPerson();
    const begun = await begin(person);
    const refused = await answer(person, begun, person.passkey.sign(begun.options, differences));
    expect(refused).toMatchObject({ status: 400, errors: { credential: ['This passkey is not accepted.'] } });
    expect(await entriesOf(person)).toEqual([{ action: 'auth.prove-failed', changes: { method: 'passkey' } }]);
    expect(await isFresh(person)).toBe(false);
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(200);
  });

  it('is refused where passkeys cannot work [DECISIONS §13]', async () => {
    const { token } = await insertPasskeyPerson();
    const begun = await test.call(accountRoutes.beginPasskeyProof, { token, headers: { host: '127.0.0.1:3000' } });
    expect(begun).toMatchObject({ status: 409, message: 'Passkeys do not work at this address of the console.' });
  });

  it('goes on where guesses have locked the password out, and its own refusals count for the address [DECISIONS §13]', async () => {
    const person = await insertPasskeyPerson();
    for (let n = 0; n < 5; n += 1) await prove(person, { password: WRONG });
    expect((await prove(person, {})).status).toBe(429);
    const begun = await begin(person);
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(200);
    await test.context.platform.deleteFrom('signInAttempts').execute();
    const next = await begin(person);
    const guesses = Array.from({ length: 60 }, () =>
      patiently(() => answer(person, next, person.passkey.sign(next.options, { flags: 1 }))),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([50, 10]);
  });

  it('is none of an account that was deactivated meanwhile [DECISIONS §13]', async () => {
    const person = await insertPasskeyPerson();
    const begun = await begin(person);
    const users = test.context.platform.updateTable('users').where('id', '=', person.id);
    await users.set({ isActive: false }).execute();
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(401);
    await users.set({ isActive: true }).execute();
    expect((await answer(person, begun, person.passkey.sign(begun.options))).status).toBe(200);
  });

  it('is not possible with an API token [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    const session = (await signInTo(test, account)).accessToken;
    const body = { name: 'script', minutes: 60 };
    const { accessToken } = (await test.call(authRoutes.generateToken, { body, token: session })).result;
    const refused = await test.call(accountRoutes.beginPasskeyProof, { token: accessToken, headers: AT_LOCALHOST });
    expect(refused).toMatchObject({ status: 403, message: 'This API token can only read.' });
  });
});

/** Signs a person in once more, by the passkey alone. */
async function passkeySession({ id, userName, passkey }: Account & { passkey: SoftwarePasskey }) {
  const asked = await askForPasskey(test);
  const { result } = await passkeyStep(test, asked.token, passkey.sign(asked.options));
  return { id, userName, token: result.accessToken as string };
}
