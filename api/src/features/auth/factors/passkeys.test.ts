import {
  ownFactorRoutes,
  type PasskeyAssertion,
  type PasskeyRequest,
  secondStepRoutes,
} from '@apotheca/contract/second-factors';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { putRight } from '../../../testing/clock-ahead.ts';
import { inGroups } from '../../../testing/in-groups.ts';
import { patiently } from '../../../testing/patiently.ts';
import { addPasskeyTo, askForPasskey, ORIGIN, passkeyStep, passwordStep } from '../../../testing/second-factors.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';
import { relyingPartyOf } from './relying-party.ts';

const test = useTestApp();

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

async function insertPasskeyAccount() {
  const account = await insertAccount(test);
  const token = (await signInTo(test, account)).accessToken;
  return { ...account, token, passkey: await addPasskeyTo(test, token) };
}

const statusOf = async (asked: { token: string }, credential: unknown) =>
  (await patiently(() => passkeyStep(test, asked.token, credential))).status;
const lastEntryOf = async ({ id }: Account) => {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
  return entries.where('entityId', '=', id).orderBy('id', 'desc').executeTakeFirstOrThrow();
};

describe('a sign-in with a passkey', () => {
  it('needs no user name and no password [DECISIONS §13]', async () => {
    const user = await insertPasskeyAccount();
    const asked = await askForPasskey(test);
    expect(asked.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(asked.options).not.toHaveProperty('allowCredentials');
    const answer = await passkeyStep(test, asked.token, user.passkey.sign(asked.options));
    expect(answer).toMatchObject({ status: 200, message: 'Login Successful.', result: { id: user.id } });
    expect(await lastEntryOf(user)).toEqual({ action: 'auth.sign-in', changes: { method: 'passkey' } });
    const { result } = await test.call(ownFactorRoutes.get, { token: user.token });
    expect(result.passkeys).toEqual([
      { id: expect.any(String), name: 'Laptop', createdOnUtc: expect.any(String), lastUsedOnUtc: expect.any(String) },
    ]);
  });

  it('is the second step after the password, where only passkeys of this user count [DECISIONS §13]', async () => {
    const [user, other] = [await insertPasskeyAccount(), await insertPasskeyAccount()];
    const { methods, token } = (await test.signIn(user.userName)).result.secondFactor;
    expect(methods).toEqual(['passkey', 'recovery']);
    const asked = await askForPasskey(test, token);
    expect(asked.options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([user.passkey.id]);
    expect(await statusOf(asked, other.passkey.sign(asked.options))).toBe(401);
    expect(await statusOf(asked, user.passkey.sign(asked.options))).toBe(200);
  });

  it('fills no trail where somebody begins it over and over with what is no first step [DECISIONS §12]', async () => {
    const countFailed = async () => {
      const entries = test.context.platform.selectFrom('auditEntries').select('id');
      return (await entries.where('action', '=', 'auth.sign-in-failed').execute()).length;
    };
    const before = await countFailed();
    const call = { token: null, headers: { host: 'localhost:3000' }, body: { token: 'x' } };
    const begin = () => test.call(secondStepRoutes.passkeyOptions, call);
    const answers = await inGroups(150, begin);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await countFailed()) - before).toBe(100);
  });

  it('takes a challenge once, also twice at once, and none that is older [DECISIONS §13]', async () => {
    const { passkey } = await insertPasskeyAccount();
    const [older, asked] = [await askForPasskey(test), await askForPasskey(test)];
    const signed = [passkey.sign(asked.options), passkey.sign(asked.options)];
    const statuses = await Promise.all(signed.map((credential) => statusOf(asked, credential)));
    expect(statuses.toSorted()).toEqual([200, 401]);
    expect(await statusOf(asked, passkey.sign(asked.options))).toBe(401);
    expect(await statusOf(older, passkey.sign(older.options))).toBe(401);
    const next = await askForPasskey(test);
    expect(await statusOf(next, passkey.sign(next.options))).toBe(200);
  });

  it('takes a challenge once also of a passkey that never counts, and notes the use of no other one [DECISIONS §13]', async () => {
    const [{ passkey }, other] = [await insertPasskeyAccount(), await insertPasskeyAccount()];
    const [older, asked] = [await askForPasskey(test), await askForPasskey(test)];
    const answer = (to: typeof asked) => statusOf(to, passkey.sign(to.options, { counter: 0 }));
    expect((await Promise.all([answer(asked), answer(asked)])).toSorted()).toEqual([200, 401]);
    expect([await answer(asked), await answer(older)]).toEqual([401, 401]);
    expect(await answer(await askForPasskey(test))).toBe(200);
    const { result } = await test.call(ownFactorRoutes.get, { token: other.token });
    expect(result.passkeys).toMatchObject([{ lastUsedOnUtc: null }]);
  });

  it('goes on once a clock is right again that was ahead when the passkey was used, and takes nothing of that time [DECISIONS §13]', async () => {
    putRight(test.clock);
    const { passkey } = await insertPasskeyAccount();
    const answer = (to: { token: string; options: PasskeyRequest }) =>
      statusOf(to, passkey.sign(to.options, { counter: 0 }));
    test.clock.advance(3600);
    const [used, unused] = [await askForPasskey(test), await askForPasskey(test)];
    expect(await answer(used)).toBe(200);
    test.clock.advance(-3600);
    const next = await askForPasskey(test);
    expect([await answer(used), await answer(unused), await answer(next), await answer(next)]).toEqual([
      401, 401, 200, 401,
    ]);
  });

  it('is answered by a server whose clock is an hour behind that of the one where the passkey was used last [DECISIONS §13]', async () => {
    putRight(test.clock);
    const { passkey } = await insertPasskeyAccount();
    const answer = (to: { token: string; options: PasskeyRequest }) =>
      statusOf(to, passkey.sign(to.options, { counter: 0 }));
    expect(await answer(await askForPasskey(test))).toBe(200);
    test.clock.advance(-3600);
    const asked = await askForPasskey(test);
    expect([await answer(asked), await answer(asked)]).toEqual([200, 401]);
  });

  it('takes a challenge of a server whose clock is a minute ahead, once, and none of one that is further ahead [DECISIONS §13]', async () => {
    const { passkey } = await insertPasskeyAccount();
    const answer = (to: { token: string; options: PasskeyRequest }) =>
      statusOf(to, passkey.sign(to.options, { counter: 0 }));
    const asked = await askForPasskey(test);
    test.clock.advance(-61);
    expect(await answer(asked)).toBe(401);
    test.clock.advance(1);
    expect([await answer(asked), await answer(asked)]).toEqual([200, 401]);
  });

  it('refuses a counter that goes back, as a copied authenticator would have [DECISIONS §13]', async () => {
    const { passkey } = await insertPasskeyAccount();
    const use = async (counter: number) => {
      const asked = await askForPasskey(test);
      return statusOf(asked, passkey.sign(asked.options, { counter }));
    };
    expect([
      await use(0),
      await use(0),
      await use(7),
      await use(7),
      await use(6),
      await use(0),
      await use(8),
      await use(2 ** 32 - 1),
    ]).toEqual([200, 200, 200, 401, 401, 401, 200, 200]);
  });

  it.each([
    ['of another site', { origin: 'http://localhost:4000' }],
    ['for another name', { rpId: 'evil.test' }],
    ['of another challenge', { challenge: 'AAAA' }],
    ['without verifying who is there', { flags: 1 }],
    ['without anybody there', { flags: 4 }],
    ['that makes a passkey', { type: 'webauthn.create' }],
  ])('refuses a signature %s [DECISIONS §13]', async (_, differences) => {
    const user = await insertPasskeyAccount();
    const asked = await askForPasskey(test);
    const answer = await passkeyStep(test, asked.token, user.passkey.sign(asked.options, differences));
    expect(answer).toMatchObject({ status: 401, message: 'This passkey is not accepted.' });
    expect(await lastEntryOf(user)).toEqual({ action: 'auth.sign-in-failed', changes: { method: 'passkey' } });
    expect(await statusOf(asked, user.passkey.sign(asked.options))).toBe(200);
  });

  it('refuses an unknown passkey, one that was removed, and one of an inactive user [DECISIONS §13]', async () => {
    const user = await insertPasskeyAccount();
    const asked = await askForPasskey(test);
    expect(await statusOf(asked, new SoftwarePasskey(ORIGIN).sign(asked.options))).toBe(401);
    const setActive = (isActive: boolean) =>
      test.context.platform.updateTable('users').set({ isActive }).where('id', '=', user.id).execute();
    await setActive(false);
    expect(await statusOf(asked, user.passkey.sign(asked.options))).toBe(401);
    await setActive(true);
    const { result } = await test.call(ownFactorRoutes.get, { token: user.token });
    await test.call(ownFactorRoutes.removePasskey, { token: user.token, query: { id: result.passkeys[0].id } });
    expect(await statusOf(asked, user.passkey.sign(asked.options))).toBe(401);
  });

  it('ends after five minutes, and when the credentials change after the password [DECISIONS §13]', async () => {
    const user = await insertPasskeyAccount();
    const old = await askForPasskey(test);
    test.clock.advance(301);
    expect(await statusOf(old, user.passkey.sign(old.options))).toBe(401);
    const token = await passwordStep(test, user);
    const asked = await askForPasskey(test, token);
    const change = test.context.platform.updateTable('users').set({ passwordHash: 'another' });
    await change.where('id', '=', user.id).execute();
    expect(await statusOf(asked, user.passkey.sign(asked.options))).toBe(401);
  });

  it('refuses 300 mutations of what was signed, and none is an error of the server [DECISIONS §13]', async () => {
    const user = await insertPasskeyAccount();
    const asked = await askForPasskey(test);
    const signed = user.passkey.sign(asked.options);
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n += 1) {
      await test.context.platform.deleteFrom('signInAttempts').execute();
      statuses.add(await statusOf(asked, mutated(signed, n)));
    }
    expect([...statuses].toSorted()).toEqual([400, 401]);
    expect(await statusOf(asked, signed)).toBe(200);
  });

  it('counts refused signatures for the address [DECISIONS §13]', async () => {
    const user = await insertPasskeyAccount();
    const asked = await askForPasskey(test);
    const guesses = Array.from({ length: 60 }, () => statusOf(asked, user.passkey.sign(asked.options, { flags: 1 })));
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

/** An assertion with one bit of one of its parts changed, or a part missing, empty, of another kind or from another place. */
function mutated(assertion: PasskeyAssertion, n: number): unknown {
  const parts = ['clientDataJSON', 'authenticatorData', 'signature'] as const;
  const part = parts[n % parts.length] ?? 'signature';
  const { response } = assertion;
  const changed = (value: unknown) => ({ ...assertion, response: { ...response, [part]: value } });
  const bytes = Buffer.from(response[part], 'base64url');
  switch (n % 10) {
    case 0:
      return changed('');
    case 1:
      return changed(undefined);
    case 2:
      return changed(n);
    case 3:
      return changed(bytes.subarray(0, n % bytes.length).toString('base64url'));
    case 4:
      return changed(`${response[part]}!`);
    case 5:
      return { ...assertion, id: `${assertion.id.slice(1)}A`, rawId: assertion.rawId };
    default: {
      const at = (n * 7) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      return changed(bytes.toString('base64url'));
    }
  }
}

describe('adding a passkey', () => {
  const AT_LOCALHOST = { host: 'localhost:3000' };
  const begin = async (token: string) =>
    (await test.call(ownFactorRoutes.beginPasskey, { token, headers: AT_LOCALHOST })).result;
  const add = (token: string, body: object) =>
    test.call(ownFactorRoutes.addPasskey, { token, headers: AT_LOCALHOST, body });
  const signInNew = async () => (await signInTo(test, await insertAccount(test))).accessToken;

  it('answers its recovery codes again to who sends the call again with its Idempotency-Key [DECISIONS §13]', async () => {
    const token = await signInNew();
    const { token: begun, options } = await begin(token);
    const headers = { ...AT_LOCALHOST, 'idempotency-key': `passkey-${begun.slice(-20)}` };
    const body = { token: begun, name: 'Laptop', credential: new SoftwarePasskey(ORIGIN).create(options) };
    const { result } = await test.call(ownFactorRoutes.addPasskey, { token, headers, body });
    expect(result.recoveryCodes).toHaveLength(10);
    const again = await test.call(ownFactorRoutes.addPasskey, { token, headers, body });
    expect(again).toMatchObject({ status: 200, result });
  });

  it('gives recovery codes with the first one only, and renames and removes it [DECISIONS §13]', async () => {
    const token = await signInNew();
    const { token: begun, options } = await begin(token);
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
    const credential = new SoftwarePasskey(ORIGIN).create(options);
    const first = await add(token, { token: begun, name: 'Laptop', credential });
    expect(first).toMatchObject({ status: 200, result: { recoveryCodes: expect.arrayContaining([]) } });
    expect(first.result.recoveryCodes).toHaveLength(10);
    expect(await add(token, { token: begun, name: 'Again', credential })).toMatchObject({ status: 409 });
    test.clock.advance(1);
    const next = await begin(token);
    expect(next.options.excludeCredentials).toHaveLength(1);
    const second = { token: next.token, name: 'Key', credential: new SoftwarePasskey(ORIGIN).create(next.options) };
    expect((await add(token, second)).result).toEqual({ recoveryCodes: null });
    const listed = async () => (await test.call(ownFactorRoutes.get, { token })).result;
    const [{ id }] = (await listed()).passkeys;
    const renamed = { token, body: { id, name: 'Old laptop' } };
    expect((await test.call(ownFactorRoutes.renamePasskey, renamed)).status).toBe(200);
    expect((await listed()).passkeys.map(({ name }: { name: string }) => name)).toEqual(['Old laptop', 'Key']);
    for (const passkey of (await listed()).passkeys)
      await test.call(ownFactorRoutes.removePasskey, { token, query: { id: passkey.id } });
    expect(await listed()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  });

  it('refuses what another site or nobody has made, and what another user has begun [DECISIONS §13]', async () => {
    const [token, other] = [await signInNew(), await signInNew()];
    const { token: begun, options } = await begin(token);
    for (const differences of [
      { origin: 'http://evil.test' },
      { flags: 1 },
      { rpId: 'evil.test' },
      { challenge: 'AA' },
    ]) {
      const credential = new SoftwarePasskey(ORIGIN).create(options, differences);
      expect((await add(token, { token: begun, name: 'Key', credential })).status).toBe(400);
    }
    const credential = new SoftwarePasskey(ORIGIN).create(options);
    expect((await add(other, { token: begun, name: 'Key', credential })).status).toBe(409);
    expect((await add(token, { token: `${begun}x`, name: 'Key', credential })).status).toBe(409);
    expect((await add(token, { token: begun, name: 'Key', credential })).status).toBe(200);
    const again = await begin(other);
    const stolen = { token: again.token, name: 'Key', credential: new SoftwarePasskey(ORIGIN).create(again.options) };
    expect((await add(other, stolen)).status).toBe(200);
  });

  it('leaves the passkeys of others alone [DECISIONS §13]', async () => {
    const [user, stranger] = [await insertPasskeyAccount(), await signInNew()];
    const { result } = await test.call(ownFactorRoutes.get, { token: user.token });
    const { id } = result.passkeys[0];
    const removal = await test.call(ownFactorRoutes.removePasskey, { token: stranger, query: { id } });
    const naming = await test.call(ownFactorRoutes.renamePasskey, { token: stranger, body: { id, name: 'Mine' } });
    expect([removal.status, naming.status]).toEqual([404, 404]);
  });

  it('is refused where passkeys cannot work [DECISIONS §13]', async () => {
    const token = await signInNew();
    const message = 'Passkeys do not work at this address of the console.';
    const headers = { host: '127.0.0.1:3000' };
    expect(await test.call(ownFactorRoutes.beginPasskey, { token, headers })).toMatchObject({ status: 409, message });
    const asked = await test.call(secondStepRoutes.passkeyOptions, { token: null, headers, body: { token: null } });
    expect(asked).toMatchObject({ status: 409, message });
    expect((await test.call(ownFactorRoutes.get, { token, headers })).result).toMatchObject({ passkeyOrigin: null });
  });
});

describe('to whom passkeys belong', () => {
  it.each([
    ['http://localhost:3000', undefined, { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://127.0.0.1:3000', undefined, undefined],
    ['https://console.test', undefined, undefined],
    ['http://', undefined, undefined],
    ['http://127.0.0.1:3000', 'https://console.test', { id: 'console.test', origin: 'https://console.test' }],
    ['http://evil.test', 'https://console.test:8443', { id: 'console.test', origin: 'https://console.test:8443' }],
    ['http://localhost:3000', 'http://console.test', undefined],
    ['http://localhost:3000', 'https://10.0.0.7', undefined],
    ['http://localhost:3000', 'https://[::1]:8443', undefined],
  ])('opened as %s, with APOTHECA_PUBLIC_URL %s [DECISIONS §13]', (origin, publicUrl, party) => {
    expect(relyingPartyOf({ publicUrl }, origin)).toEqual(party);
  });
});
