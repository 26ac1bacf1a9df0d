import { authRoutes } from '@apotheca/contract/auth';
import { ownFactorRoutes, secondStepRoutes } from '@apotheca/contract/second-factors';
import { userRoutes } from '@apotheca/contract/users';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount, signInTo } from '../../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { useTestApp } from '../../../testing/app.ts';
import { patiently } from '../../../testing/patiently.ts';
import { codeOf, codeStep, insertTotpAccount, passwordStep, wrongCodeOf } from '../../../testing/second-factors.ts';
import { hashPassword } from '../passwords.ts';

const test = useTestApp();

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

const entriesOf = async ({ id }: Pick<Account, 'id'>) => {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
  return entries.where('entityId', '=', id).orderBy('id').execute();
};
const openSessionsOf = async ({ id }: Pick<Account, 'id'>) => {
  const sessions = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', id);
  return (await sessions.where('revokedAt', 'is', null).execute()).length;
};
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

describe('a sign-in of a user with an authenticator app', () => {
  it('opens no session for the right password, and one for the code after it [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const before = await openSessionsOf(user);
    const first = await test.signIn(user.userName);
    expect(first).toMatchObject({ status: 200, success: true, message: 'A second factor is needed.' });
    expect(first.result).toEqual({
      secondFactor: { token: expect.any(String), methods: ['totp', 'recovery'], enrolment: null },
    });
    expect(await openSessionsOf(user)).toBe(before);
    const { token } = first.result.secondFactor;
    const second = await codeStep(test, token, codeOf(test, user.secret));
    expect(second).toMatchObject({
      status: 200,
      message: 'Login Successful.',
      result: { id: user.id, role: 'Viewer' },
    });
    expect(second.result).not.toHaveProperty('recoveryCodes');
    expect((await test.call(authRoutes.me, { token: second.result.accessToken })).status).toBe(200);
    expect((await entriesOf(user)).slice(-2)).toEqual([
      { action: 'auth.password-right', changes: {} },
      { action: 'auth.sign-in', changes: { method: 'totp' } },
    ]);
  });

  it('is asked for nothing more with a wrong password, and learns nothing of the factor [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const other = await insertAccount(test);
    const [one, two] = [await test.signIn(user.userName, 'wrong'), await test.signIn(other.userName, 'wrong')];
    expect({ ...one, headers: {} }).toEqual({ ...two, headers: {} });
    expect(one.status).toBe(401);
  });

  it.each([-1, 0, 1])('takes the code of a phone whose clock is %d steps ahead [DECISIONS §13]', async (steps) => {
    const user = await insertTotpAccount(test);
    test.clock.advance(60);
    const token = await passwordStep(test, user);
    expect((await codeStep(test, token, codeOf(test, user.secret, steps))).status).toBe(200);
  });

  it.each([-2, 2])('refuses the code of a phone whose clock is %d steps ahead [DECISIONS §13]', async (steps) => {
    const user = await insertTotpAccount(test);
    test.clock.advance(90);
    const token = await passwordStep(test, user);
    const answer = await codeStep(test, token, codeOf(test, user.secret, steps));
    expect(answer).toMatchObject({ status: 401, message: 'This code is not right, or was used before.' });
    expect((await entriesOf(user)).at(-1)).toEqual({ action: 'auth.sign-in-failed', changes: { method: 'totp' } });
  });

  it('takes a code once: not again, and none that is older [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    test.clock.advance(60);
    const [older, code] = [codeOf(test, user.secret, -1), codeOf(test, user.secret)];
    expect((await codeStep(test, await passwordStep(test, user), code)).status).toBe(200);
    expect((await codeStep(test, await passwordStep(test, user), code)).status).toBe(401);
    expect((await codeStep(test, await passwordStep(test, user), older)).status).toBe(401);
  });

  it('lets one of many sign-ins at once have a code [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const tokens = [];
    for (let n = 0; n < 4; n += 1) tokens.push(await passwordStep(test, user));
    const code = codeOf(test, user.secret);
    const statuses = (await Promise.all(tokens.map((token) => codeStep(test, token, code)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });

  it('takes a recovery code once, in any case and with or without its dash [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    expect(new Set(user.recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = user.recoveryCodes;
    const use = async (code: string) => (await codeStep(test, await passwordStep(test, user), code, 'recovery')).status;
    expect(await use(` ${first.toUpperCase().replace('-', '')} `)).toBe(200);
    expect(await use(first)).toBe(401);
    const tokens = [await passwordStep(test, user), await passwordStep(test, user)];
    const twice = await Promise.all(tokens.map((token) => codeStep(test, token, second, 'recovery')));
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const { result } = await test.call(ownFactorRoutes.get, { token: user.token });
    expect(result.recoveryCodesLeft).toBe(8);
  });

  it('keeps the secret encrypted and the recovery codes hashed, and audits neither [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const { rows } = await test.context.pool.query(
      `select (select json_agg(f) from totp_factors f)::text || (select json_agg(c) from recovery_codes c)::text
         || (select json_agg(a) from audit_entries a)::text as everything`,
    );
    for (const secret of [user.secret, ...user.recoveryCodes]) expect(rows[0].everything).not.toContain(secret);
  });
});

describe('the token of the first step', () => {
  const expired = { status: 401, message: 'This sign-in has expired: please begin again.' };

  it('counts for five minutes [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    test.clock.advance(301);
    expect(await codeStep(test, token, codeOf(test, user.secret))).toMatchObject(expired);
  });

  it('counts at no server whose clock is more than a minute behind that of the first one [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    test.clock.advance(61);
    const token = await passwordStep(test, user);
    test.clock.advance(-61);
    expect(await codeStep(test, token, codeOf(test, user.secret))).toMatchObject(expired);
    test.clock.advance(1);
    expect(await codeStep(test, token, codeOf(test, user.secret))).toMatchObject({ status: 200 });
  });

  it.each([
    ['the password', { passwordHash: 'another' }],
    ['the role', {}],
    ['whether the user is active', { isActive: false }],
  ])('counts no longer when %s has changed [DECISIONS §13]', async (what, change) => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    const roles = test.context.platform.selectFrom('roles').select('id').where('name', '=', 'Operator');
    const fields = what === 'the role' ? { roleId: (await roles.executeTakeFirstOrThrow()).id } : change;
    await test.context.platform.updateTable('users').set(fields).where('id', '=', user.id).execute();
    expect(await codeStep(test, token, codeOf(test, user.secret))).toMatchObject(expired);
  });

  it('counts no longer when the factor was removed or made anew meanwhile [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    expect((await test.call(ownFactorRoutes.removeTotp, { token: user.token })).status).toBe(200);
    expect(await codeStep(test, token, codeOf(test, user.secret))).toMatchObject(expired);
    expect((await test.signIn(user.userName)).result).toHaveProperty('accessToken');
  });

  it('is no access token, and no access token is one [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    expect((await test.call(authRoutes.me, { token })).status).toBe(401);
    expect(await codeStep(test, user.token, codeOf(test, user.secret))).toMatchObject(expired);
    const { result } = await test.call(ownFactorRoutes.beginTotp, {
      token: (await signInTo(test, await insertAccount(test))).accessToken,
    });
    expect(await codeStep(test, result.token, codeOf(test, result.secret))).toMatchObject(expired);
  });

  it('is refused in 300 mutations, and none is an error of the server [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    const code = codeOf(test, user.secret);
    const statuses: number[] = [];
    for (const mutated of mutationsOf(token, 300)) {
      await test.context.platform.deleteFrom('signInAttempts').execute();
      statuses.push((await codeStep(test, mutated, code)).status);
    }
    expect(countOf(statuses, 401) + countOf(statuses, 400)).toBe(300);
    expect((await codeStep(test, token, code)).status).toBe(200);
  });
});

/** Texts that differ from a token in one place: a character changed, left out, doubled or moved, a part cut or put elsewhere. */
function mutationsOf(token: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * token.length) / count);
    const char = token[at] ?? '';
    const other = char === 'A' ? 'B' : 'A';
    const ways = [
      token.slice(0, at) + other + token.slice(at + 1),
      token.slice(0, at) + token.slice(at + 1),
      token.slice(0, at) + char + char + token.slice(at + 1),
      token.slice(0, at),
      `${token.slice(0, at)}.${token.slice(at)}`,
      `${token.slice(at)}${token.slice(0, at)}`,
    ];
    const mutated = ways[n % ways.length] ?? '';
    return mutated === token ? `${token}A` : mutated;
  });
}

describe('guesses of codes', () => {
  it('get 5 tries, then a delay that doubles, even for the right code [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    const guess = async (code: string) => (await codeStep(test, token, code)).status;
    for (let n = 0; n < 5; n += 1) expect(await guess(wrongCodeOf(test, user.secret))).toBe(401);
    const blocked = await codeStep(test, token, codeOf(test, user.secret));
    expect(blocked).toMatchObject({ status: 429, message: 'Too many failed sign-ins. Try again in 1 second.' });
    test.clock.advance(1);
    expect(await guess(wrongCodeOf(test, user.secret))).toBe(401);
    test.clock.advance(1);
    expect(await guess(codeOf(test, user.secret))).toBe(429);
    test.clock.advance(1);
    expect(await guess(codeOf(test, user.secret))).toBe(200);
  });

  it.each(['totp', 'recovery'])('get 5 of 100 parallel tries at a code by %s [DECISIONS §13]', async (method) => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    const wrong = method === 'totp' ? wrongCodeOf(test, user.secret) : '00000-00000';
    const guesses = Array.from({ length: 100 }, () => patiently(() => codeStep(test, token, wrong, method)));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect({ tried: countOf(statuses, 401), refused: countOf(statuses, 429) }).toEqual({ tried: 5, refused: 95 });
    const entries = (await entriesOf(user)).filter(({ action }) => action === 'auth.sign-in-failed');
    expect(entries).toEqual(Array(5).fill({ action: 'auth.sign-in-failed', changes: { method } }));
  });

  it('go on counting when the right password is given again [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    for (let n = 0; n < 5; n += 1) {
      const token = await passwordStep(test, user);
      expect((await codeStep(test, token, wrongCodeOf(test, user.secret))).status).toBe(401);
    }
    const token = await passwordStep(test, user);
    expect((await codeStep(test, token, codeOf(test, user.secret))).status).toBe(429);
  });

  it('count for the address too, and a sign-in that succeeds leaves no count [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    await codeStep(test, await passwordStep(test, user), wrongCodeOf(test, user.secret));
    const attempts = () => test.context.platform.selectFrom('signInAttempts').select(['subject', 'attempts']).execute();
    expect((await attempts()).toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual([
      { subject: 'address:127.0.0.1', attempts: 1 },
      { subject: `factor:${user.id}`, attempts: 1 },
    ]);
    await codeStep(test, await passwordStep(test, user), codeOf(test, user.secret));
    expect(await attempts()).toEqual([{ subject: 'address:127.0.0.1', attempts: 1 }]);
  });
});

describe('a user role that needs a second factor', () => {
  const requireFactor = (required: boolean) =>
    test.context.platform.updateTable('roles').set({ requiresSecondFactor: required }).where('name', '=', 'Operator');

  beforeEach(async () => {
    await requireFactor(true).execute();
    return async () => {
      await requireFactor(false).execute();
    };
  });

  it('has who has none set one up at the sign-in: the first right code opens the session [DECISIONS §13]', async () => {
    const user = await insertAccount(test, { role: 'Operator' });
    const { token, methods, enrolment } = (await test.signIn(user.userName)).result.secondFactor;
    expect(methods).toEqual(['totp']);
    expect(enrolment.uri).toBe(`otpauth://totp/Apotheca:${user.userName}?secret=${enrolment.secret}&issuer=Apotheca`);
    expect((await codeStep(test, token, wrongCodeOf(test, enrolment.secret))).status).toBe(401);
    const { status, result } = await codeStep(test, token, codeOf(test, enrolment.secret));
    expect({ status, id: result.id, codes: result.recoveryCodes.length }).toEqual({
      status: 200,
      id: user.id,
      codes: 10,
    });
    expect((await entriesOf(user)).map(({ action }) => action)).toEqual([
      'auth.password-right',
      'auth.sign-in-failed',
      'auth.factor-added',
      'auth.sign-in',
    ]);
    test.clock.advance(30);
    const again = await codeStep(test, await passwordStep(test, user), codeOf(test, enrolment.secret));
    expect(again.status).toBe(200);
  });

  it('has one of two such sign-ins at once set one up [DECISIONS §13]', async () => {
    const user = await insertAccount(test, { role: 'Operator' });
    const steps = [(await test.signIn(user.userName)).result, (await test.signIn(user.userName)).result];
    const answers = await Promise.all(
      steps.map(({ secondFactor: { token, enrolment } }) => codeStep(test, token, codeOf(test, enrolment.secret))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('keeps the last factor, and lets another one go [DECISIONS §13]', async () => {
    await requireFactor(false).execute();
    const user = await insertTotpAccount(test, { role: 'Operator' });
    await requireFactor(true).execute();
    const removed = await test.call(ownFactorRoutes.removeTotp, { token: user.token });
    expect(removed).toMatchObject({
      status: 409,
      message: 'Your user role needs a second factor: add another one first.',
    });
    expect((await test.call(ownFactorRoutes.get, { token: user.token })).result).toMatchObject({
      isRequired: true,
      totpSinceUtc: expect.any(String),
      recoveryCodesLeft: 10,
    });
  });
});

describe('a password that changes while a sign-in is under way', () => {
  it('ends what was verified with the old one, though the new one is equal [DECISIONS §4] [DECISIONS §13]', async () => {
    const user = await insertAccount(test, { passwordHash: await hashPassword(ADMINISTRATOR.password) });
    const versionOf = async () => {
      const row = test.context.platform.selectFrom('users').select('credentialsVersion').where('id', '=', user.id);
      return (await row.executeTakeFirstOrThrow()).credentialsVersion;
    };
    const before = await versionOf();
    const rename = test.context.platform.updateTable('users').set({ firstName: 'Other' }).where('id', '=', user.id);
    await rename.execute();
    expect(await versionOf()).toBe(before);
    const change = test.context.platform.updateTable('users').where('id', '=', user.id);
    await change.set({ passwordHash: await hashPassword(ADMINISTRATOR.password) }).execute();
    expect(await versionOf()).toBe(before + 1);
  });
});

describe('the list of users', () => {
  it('says who has a second factor [DECISIONS §13]', async () => {
    const [one, other] = [await insertTotpAccount(test), await insertAccount(test)];
    const { result } = await test.call(userRoutes.list, { token: (await test.signIn()).result.accessToken });
    const factorOf = ({ id }: Account) => result.find((user: { id: string }) => user.id === id).hasSecondFactor;
    expect([factorOf(one), factorOf(other)]).toEqual([true, false]);
  });
});

it('the calls of the second step need what they are for [DECISIONS §13]', async () => {
  const answer = await test.call(secondStepRoutes.factor, {
    token: null,
    body: { token: 'x', method: 'sms', code: '1' },
  });
  expect(answer.status).toBe(400);
});
