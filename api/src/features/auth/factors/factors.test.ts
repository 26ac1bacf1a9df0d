import { authRoutes } from '@apotheca/contract/auth';
import { roleRoutes } from '@apotheca/contract/roles';
import { ownFactorRoutes, roleFactorRoutes, secondFactorPlan } from '@apotheca/contract/second-factors';
import { userRoutes } from '@apotheca/contract/users';
import { describe, expect, it } from 'vitest';
import { administratorIdOf, insertAccount, roleIdOf, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import {
  addPasskeyTo,
  addTotpTo,
  codeOf,
  codeStep,
  insertTotpAccount,
  passwordStep,
  wrongCodeOf,
} from '../../../testing/second-factors.ts';

const test = useTestApp();
const RACES = IS_LONG_RUN ? 200 : 5;

// Only finds what hangs.
const signInNew = async () => (await signInTo(test, await insertAccount(test))).accessToken;
const administrator = async () => (await test.signIn()).result.accessToken;
const entriesOf = async (entityId: string, action: string) => {
  const entries = test.context.platform.selectFrom('auditEntries').select(['actorId', 'address', 'changes']);
  return entries.where('entityId', '=', entityId).where('action', '=', action).orderBy('id').execute();
};

describe('an authenticator app', () => {
  it('counts once its first code has confirmed it, and not again until it is removed [DECISIONS §13]', async () => {
    const token = await signInNew();
    const { secret, token: begun } = (await test.call(ownFactorRoutes.beginTotp, { token })).result;
    expect(Buffer.from(secret).length).toBeGreaterThanOrEqual(32);
    const confirm = (code: string) => test.call(ownFactorRoutes.confirmTotp, { token, body: { token: begun, code } });
    expect(await confirm(wrongCodeOf(test, secret))).toMatchObject({
      status: 400,
      errors: { code: ['This code is not right.'] },
    });
    const confirmed = await confirm(` ${codeOf(test, secret).replace(/^.../, '$& ')} `);
    expect(confirmed).toMatchObject({ status: 200, message: 'The authenticator app has been added.' });
    expect(confirmed.result.recoveryCodes).toHaveLength(10);
    expect((await confirm(codeOf(test, secret))).status).toBe(409);
    expect((await test.call(ownFactorRoutes.beginTotp, { token })).status).toBe(409);
    expect((await test.call(ownFactorRoutes.removeTotp, { token })).status).toBe(200);
    expect((await test.call(ownFactorRoutes.removeTotp, { token })).status).toBe(404);
    // The old secret comes back by no replay.
    test.clock.advance(30);
    expect((await confirm(codeOf(test, secret))).status).toBe(409);
  });

  it('answers its recovery codes again to who sends the call again with its Idempotency-Key [DECISIONS §13]', async () => {
    const token = await signInNew();
    const { secret, token: begun } = (await test.call(ownFactorRoutes.beginTotp, { token })).result;
    const headers = { 'idempotency-key': `app-${begun.slice(-20)}` };
    const confirm = (code: string) =>
      test.call(ownFactorRoutes.confirmTotp, { token, headers, body: { token: begun, code } });
    expect((await confirm(wrongCodeOf(test, secret))).status).toBe(400);
    const { result } = await confirm(codeOf(test, secret));
    expect(result.recoveryCodes).toHaveLength(10);
    expect(await confirm(codeOf(test, secret))).toMatchObject({ status: 200, result });
  });

  it('is set up by one of two tabs at once [DECISIONS §13]', async () => {
    const token = await signInNew();
    const begun = [
      (await test.call(ownFactorRoutes.beginTotp, { token })).result,
      (await test.call(ownFactorRoutes.beginTotp, { token })).result,
    ];
    const answers = await Promise.all(
      begun.map((tab) =>
        test.call(ownFactorRoutes.confirmTotp, { token, body: { token: tab.token, code: codeOf(test, tab.secret) } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('is another person’s business to nobody, and an API token changes none [DECISIONS §13]', async () => {
    const [token, other] = [await signInNew(), await signInNew()];
    const { secret, token: begun } = (await test.call(ownFactorRoutes.beginTotp, { token })).result;
    const body = { token: begun, code: codeOf(test, secret) };
    expect((await test.call(ownFactorRoutes.confirmTotp, { token: other, body })).status).toBe(409);
    const made = await test.call(authRoutes.generateToken, { token, body: { name: 'report', minutes: 5 } });
    const asApi = { token: made.result.accessToken, body };
    expect((await test.call(ownFactorRoutes.confirmTotp, asApi)).status).toBe(403);
    expect((await test.call(ownFactorRoutes.confirmTotp, { token, body })).status).toBe(200);
  });
});

describe('recovery codes', () => {
  it('are made anew on demand, and the old ones are void [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const { result } = await test.call(ownFactorRoutes.makeRecoveryCodes, { token: user.token });
    expect(result.recoveryCodes).toHaveLength(10);
    const use = async (code = '') => (await codeStep(test, await passwordStep(test, user), code, 'recovery')).status;
    expect(await use(user.recoveryCodes[0])).toBe(401);
    expect(await use(result.recoveryCodes[0])).toBe(200);
  });

  it('are for who has a second factor, and go with the last one [DECISIONS §13]', async () => {
    const token = await signInNew();
    expect((await test.call(ownFactorRoutes.makeRecoveryCodes, { token })).status).toBe(409);
    await addTotpTo(test, token);
    await addPasskeyTo(test, token);
    await test.call(ownFactorRoutes.removeTotp, { token });
    const left = async () => (await test.call(ownFactorRoutes.get, { token })).result;
    expect(await left()).toMatchObject({ totpSinceUtc: null, recoveryCodesLeft: 10 });
    await test.call(ownFactorRoutes.removePasskey, { token, query: { id: (await left()).passkeys[0].id } });
    expect(await left()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  });
});

describe('DELETE /user/factors', () => {
  const reset = async (id: string, token?: string) =>
    test.call(userRoutes.resetFactors, { query: { id }, token: token ?? (await administrator()) });

  it('removes all of a user’s factors, ends their sessions, and is audited [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    await addPasskeyTo(test, user.token);
    expect(await reset(user.id)).toMatchObject({ status: 200, message: "The user's second factor has been reset." });
    expect((await test.call(authRoutes.me, { token: user.token })).status).toBe(401);
    expect((await test.signIn(user.userName)).result).toHaveProperty('accessToken');
    expect(await entriesOf(user.id, 'users.resetFactors')).toEqual([
      {
        actorId: await administratorIdOf(test),
        address: '127.0.0.1',
        changes: { totp: true, passkeys: 1, sessionsEnded: 1 },
      },
    ]);
    expect(await reset(user.id)).toMatchObject({ status: 409, message: 'This user has no second factor.' });
  });

  it('voids a sign-in that has begun, and a change that has begun [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    const token = await passwordStep(test, user);
    await reset(user.id);
    expect((await codeStep(test, token, codeOf(test, user.secret))).status).toBe(401);
    expect((await test.call(ownFactorRoutes.makeRecoveryCodes, { token: user.token })).status).toBe(401);
  });

  it('is refused for oneself, for who is stronger, and without the permission [DECISIONS §5] [DECISIONS §13]', async () => {
    const own = await reset(await administratorIdOf(test));
    expect(own).toMatchObject({ status: 409, title: 'Protected' });
    const user = await insertTotpAccount(test, { role: 'Administrator' });
    const operator = await insertAccount(test, { role: 'Operator' });
    const { accessToken } = await signInTo(test, operator);
    expect((await reset(user.id, accessToken)).status).toBe(403);
    expect((await reset(user.id, await signInNew())).status).toBe(403);
    expect((await test.signIn(user.userName)).result).toHaveProperty('secondFactor');
  });

  it.each([['of the time before'], ['at the same time']])(
    'has one of 10 resets at once do it, and leaves no sign-in %s [DECISIONS §13]',
    async (when) => {
      const user = await insertTotpAccount(test);
      const steps = [await passwordStep(test, user), await passwordStep(test, user)];
      const token = await administrator();
      const code = codeOf(test, user.secret);
      const signingIn = Promise.all(steps.map((step) => codeStep(test, step, code)));
      // One of the two is through, so that there is a session to end.
      if (when === 'of the time before')
        expect((await signingIn).map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const [resets, signIns] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, () => reset(user.id, token))),
        signingIn,
      ]);
      expect(resets.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
      for (const { status, result } of signIns) {
        expect([200, 401]).toContain(status);
        if (status === 200) expect((await test.call(authRoutes.me, { token: result.accessToken })).status).toBe(401);
      }
    },
  );

  it('leaves nothing of a deleted user’s factors [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test);
    await test.call(userRoutes.delete, { query: { id: user.id }, token: await administrator() });
    const { rows } = await test.context.pool.query(
      'select user_id from totp_factors where user_id = $1 union all select user_id from recovery_codes where user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('PUT /roles/secondfactor', () => {
  const setRequired = async (id: string, required: unknown, token?: string) =>
    test.call(roleFactorRoutes.setRequired, { body: { id, required }, token: token ?? (await administrator()) });
  const requiredOf = async (name: string) => {
    const { result } = await test.call(roleRoutes.list, { token: await administrator() });
    return result.find((role: { roleName: string }) => role.roleName === name).requiresSecondFactor;
  };

  it('counts from then on, shows in the list, and is audited once [DECISIONS §13]', async () => {
    const id = await roleIdOf(test, 'Operator');
    const user = await insertAccount(test, { role: 'Operator' });
    const { accessToken } = await signInTo(test, user);
    expect(await requiredOf('Operator')).toBe(false);
    expect((await setRequired(id, true)).status).toBe(200);
    expect((await setRequired(id, true)).status).toBe(200);
    expect(await requiredOf('Operator')).toBe(true);
    expect((await test.call(authRoutes.me, { token: accessToken })).status).toBe(401);
    expect((await test.signIn(user.userName)).result.secondFactor).toMatchObject({ methods: ['totp'] });
    expect((await entriesOf(id, 'roles.edit')).map(({ changes }) => changes)).toEqual([
      { roleName: 'Operator', requiresSecondFactor: [false, true], ended: expect.any(Number) },
    ]);
    expect((await setRequired(id, false)).status).toBe(200);
    expect((await test.signIn(user.userName)).result).toHaveProperty('accessToken');
  });

  it('says who has none, and ends the sessions in which none was proved, and no others [DECISIONS §13]', async () => {
    const id = await roleIdOf(test, 'Operator');
    const plan = async () => {
      const { result } = await test.call(roleFactorRoutes.planRequired, {
        query: { id },
        token: await administrator(),
      });
      return secondFactorPlan.parse(result);
    };
    const before = await plan();
    const bare = await insertAccount(test, { role: 'Operator' });
    const unproved = (await signInTo(test, bare)).accessToken;
    const user = await insertAccount(test, { role: 'Operator' });
    const older = (await signInTo(test, user)).accessToken;
    test.clock.advance(60);
    const { secret } = await addTotpTo(test, older);
    const proved = (await codeStep(test, await passwordStep(test, user), codeOf(test, secret))).result.accessToken;
    const viewer = await signInNew();
    const planned = await plan();
    expect(planned.without).toContainEqual({ id: bare.id, userName: bare.userName });
    expect(planned.without.map((one) => one.id)).not.toContain(user.id);
    // Nor is it of those who cannot sign in with a password.
    await test.context.platform.updateTable('users').set({ isActive: false }).where('id', '=', bare.id).execute();
    expect((await plan()).without.map((one) => one.id)).not.toContain(bare.id);
    await test.context.platform.updateTable('users').set({ isActive: true }).where('id', '=', bare.id).execute();
    test.context.onlyLocalAccount = 'admin';
    expect((await plan()).without).toEqual([]);
    delete test.context.onlyLocalAccount;
    expect(planned.sessions).toBe(before.sessions + 2);
    const ended = await setRequired(id, true);
    expect(ended.message).toBe(`The user role needs a second factor. ${planned.sessions} sessions have ended.`);
    const statuses = [unproved, older, proved, viewer].map((token) => test.call(authRoutes.me, { token }));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 401, 200, 200]);
    expect((await plan()).sessions).toBe(0);
    await setRequired(id, false);
  });

  it.each([
    ['by not being used', 13],
    ['by its own end', 8 * 24],
  ])(
    'counts no session that has ended already, %s, and ends it for a clock that is behind [DECISIONS §13]',
    async (_how, hours) => {
      const id = await roleIdOf(test, 'Operator');
      const user = await insertAccount(test, { role: 'Operator' });
      await signInTo(test, user);
      test.clock.advance(hours * 3600);
      await signInTo(test, user);
      const query = { id };
      const planned = await test.call(roleFactorRoutes.planRequired, { query, token: await administrator() });
      expect(planned.result.sessions).toBe(1);
      await setRequired(id, true);
      expect((await entriesOf(id, 'roles.edit')).at(-1)?.changes).toMatchObject({ ended: 1 });
      const open = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', user.id);
      expect(await open.where('revokedAt', 'is', null).execute()).toEqual([]);
      await setRequired(id, false);
    },
  );

  it('leaves no session without one of a sign-in at the same time [DECISIONS §13]', async () => {
    const id = await roleIdOf(test, 'Operator');
    const user = await insertAccount(test, { role: 'Operator' });
    for (let race = 0; race < RACES; race += 1) {
      const signingIn = test.signIn(user.userName);
      // The first one is through before, so that there is always one to end.
      if (race === 0) expect((await signingIn).status).toBe(200);
      const [signedIn] = await Promise.all([signingIn, setRequired(id, true)]);
      const token = signedIn.result?.accessToken;
      if (token) expect((await test.call(authRoutes.me, { token })).status).toBe(401);
      await setRequired(id, false);
    }
  });

  it('is refused for an unknown role, for no answer, and without the permission [DECISIONS §13]', async () => {
    const id = await roleIdOf(test, 'Viewer');
    expect((await setRequired(crypto.randomUUID(), true)).status).toBe(404);
    const query = { id: crypto.randomUUID() };
    const planned = await test.call(roleFactorRoutes.planRequired, { query, token: await administrator() });
    expect(planned.status).toBe(404);
    expect((await setRequired(id, 'yes')).status).toBe(400);
    expect((await setRequired(id, true, await signInNew())).status).toBe(403);
  });
});
