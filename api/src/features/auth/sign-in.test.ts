import { createHash } from 'node:crypto';
import { authRoutes, profile } from '@apotheca/contract/auth';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertAccount } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { patiently } from '../../testing/patiently.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const test = useTestApp();

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

const sessionsOf = (userId: string) =>
  test.context.platform.selectFrom('sessions').selectAll().where('userId', '=', userId).execute();
const countAttempts = async () =>
  (await test.context.platform.selectFrom('signInAttempts').select('attempts').execute()).length;

describe('POST /authenticate/authenticate', () => {
  it('answers with tokens, profile and a message [§4]', async () => {
    const answer = await test.signIn();
    expect(answer).toMatchObject({ status: 200, success: true, message: 'Login Successful.' });
    expect(answer.result).toMatchObject({ username: 'admin', role: 'Administrator', email: '', phone: '' });
    expect(answer.result.serverTime).toBe(Math.floor(test.clock.now.getTime() / 1000));
    const me = await test.call(authRoutes.me, { token: answer.result.accessToken });
    expect(me.result).toMatchObject({ username: 'admin', role: 'Administrator' });
  });

  it('issues an access token for 15 minutes with a numeric expiry in its payload [§3]', async () => {
    const { id, userName } = await insertAccount(test);
    const { accessToken } = (await test.signIn(userName)).result;
    const claims = decodeJwt(accessToken);
    const now = Math.floor(test.clock.now.getTime() / 1000);
    expect(claims).toMatchObject({ sub: id, role: 'Viewer', iat: now, exp: now + 15 * 60 });
    const [session] = await sessionsOf(id);
    expect(claims).toMatchObject({ sid: session?.id, jti: session?.accessTokenId });
  });

  it('keeps only the hash of the refresh token [§4]', async () => {
    const { id, userName } = await insertAccount(test);
    const { refreshToken } = (await test.signIn(userName)).result;
    const [session] = await sessionsOf(id);
    expect(Buffer.from(refreshToken, 'base64url')).toHaveLength(32);
    expect(session?.refreshTokenHash).toEqual(createHash('sha256').update(refreshToken).digest());
    expect(JSON.stringify(session)).not.toContain(refreshToken);
  });

  it('accepts the user name or the e-mail address, ignoring case and blanks around it [§2.3]', async () => {
    const { id } = await insertAccount(test, { userName: 'Zoë.Smith', email: 'Zoe@Clinic.test' });
    for (const username of ['Zoë.Smith', 'zoë.smith', 'ZOË.SMITH', 'zoe@clinic.test', ' ZOE@CLINIC.TEST ']) {
      expect(await test.signIn(username), username).toMatchObject({ status: 200, result: { id } });
    }
  });

  it('accepts a user name with any number of blanks in it [§2.3]', async () => {
    const { id } = await insertAccount(test, { userName: 'ann lee' });
    for (const username of ['ann lee', 'ann  lee', 'Ann\u00a0Lee']) {
      expect(await test.signIn(username), username).toMatchObject({ status: 200, result: { id } });
    }
  });

  it("prefers a user name to another user's equal e-mail address [§2.3]", async () => {
    await insertAccount(test, { email: 'shared@clinic.test' });
    const { id } = await insertAccount(test, { userName: 'shared@clinic.test', email: '' });
    await insertAccount(test, { email: 'SHARED2@clinic.test' });
    expect((await test.signIn('shared@clinic.test')).result).toMatchObject({ id });
  });

  it('finds nobody by a name that PostgreSQL takes for empty, and counts it for nobody [§7.1]', async () => {
    await insertAccount(test, { userName: '', email: 'without.name@clinic.test' });
    await insertAccount(test, { email: '' });
    for (const username of ['\u00ad', '\u200b', '\u0640']) {
      expect(await test.signIn(username), username).toMatchObject({ status: 401 });
    }
    const counted = test.context.platform.selectFrom('signInAttempts').select('subject');
    expect(await counted.where('subject', 'like', sql<string>`'account:%' collate "C"`).execute()).toEqual([]);
  });

  it('refuses the password in another case, or with a blank around it [§2.3]', async () => {
    const { id, userName } = await insertAccount(test);
    for (const password of [ADMINISTRATOR.password.toUpperCase(), ` ${ADMINISTRATOR.password}`]) {
      expect(await test.signIn(userName, password)).toMatchObject({ status: 401 });
    }
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('accepts a password typed composed or decomposed [§2.3]', async () => {
    const { userName } = await insertAccount(test, { passwordHash: await hashPassword('caf\u00e9 noir') });
    expect(await test.signIn(userName, 'cafe\u0301 noir')).toMatchObject({ status: 200 });
  });

  it('answers a wrong password, an unknown, inactive, deleted and password-less user alike [§7.1]', async () => {
    const known = await insertAccount(test);
    const inactive = await insertAccount(test, { isActive: false });
    const withoutPassword = await insertAccount(test, { passwordHash: null });
    const deleted = await insertAccount(test);
    const deletion = test.context.platform.updateTable('users').set({ deletedAt: test.clock.now });
    await deletion.where('id', '=', deleted.id).execute();
    const answers = [
      await test.signIn(known.userName, 'wrong horse'),
      await test.signIn('nobody.at.all'),
      await test.signIn(inactive.userName),
      await test.signIn(withoutPassword.userName),
      await test.signIn(withoutPassword.userName, 'of nobody'),
      await test.signIn(deleted.userName),
    ];
    for (const { headers: _, ...answer } of answers) {
      const message = 'Username or password is incorrect.';
      const messageKeys = [{ key: message, parameters: {} }];
      expect(answer).toEqual({ status: 401, success: false, title: 'Not signed in', message, messageKeys });
    }
    const users = [known, inactive, withoutPassword, deleted];
    expect((await Promise.all(users.map(({ id }) => sessionsOf(id)))).flat()).toEqual([]);
  });

  it('takes as long for an unknown user as for a wrong password [§7.1]', async () => {
    const passwordHash = await hashPassword('somebody');
    await verifyPassword(undefined, 'warm up');
    const [known, unknown] = await fastest([
      () => verifyPassword(passwordHash, 'wrong horse'),
      () => verifyPassword(undefined, 'wrong horse'),
    ]);
    // Without the same work it would be a hundred times faster; a busy machine alone makes no difference of eight times.
    expect(unknown).toBeGreaterThan(Number(known) / 8);
  });

  it('opens a session each, with an audit entry, for ten at once, and leaves no attempt of theirs [§7.1]', async () => {
    const accounts = await Promise.all(Array.from({ length: 10 }, () => insertAccount(test)));
    const answers = await Promise.all(accounts.map(({ userName }) => test.signIn(userName)));
    expect(answers.map(({ status }) => status)).toEqual(accounts.map(() => 200));
    const { platform } = test.context;
    const ids = accounts.map(({ id }) => id);
    const opened = await platform.selectFrom('sessions').select('userId').where('userId', 'in', ids).execute();
    expect(opened.map(({ userId }) => userId).sort()).toEqual([...ids].sort());
    const audited = await platform.selectFrom('auditEntries').select('action').where('entityId', 'in', ids).execute();
    expect(audited).toEqual(ids.map(() => ({ action: 'auth.sign-in' })));
    expect(await platform.selectFrom('signInAttempts').select('attempts').execute()).toEqual([{ attempts: 0 }]);
  });

  it('refuses a password that is changed while it is verified [§7.1]', async () => {
    const { id, userName } = await insertAccount(test);
    const { platform } = test.context;
    const isWaiting = async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`.execute(
          platform,
        )
      ).rows.length;
    const answer = await platform.transaction().execute(async (trx) => {
      // On a busy machine it may be long until somebody waits.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await trx.updateTable('users').set({ passwordHash: 'another' }).where('id', '=', id).execute();
      const signingIn = patiently(() => test.signIn(userName));
      await expect.poll(isWaiting).toBe(1);
      return { signingIn };
    });
    expect(await answer.signingIn).toMatchObject({ status: 401 });
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('is audited with the name, the outcome and the address [§7.1]', async () => {
    const { id, userName } = await insertAccount(test);
    await signInFrom('198.51.100.20', userName, 'wrong horse');
    await signInFrom('198.51.100.21', userName.toUpperCase(), ADMINISTRATOR.password);
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select(['action', 'actorName', 'actorId', 'entity', 'address'])
      .where('entityId', '=', id)
      .orderBy('id')
      .execute();
    const actor = { actorName: userName, actorId: id, entity: 'users' };
    expect(entries).toEqual([
      { action: 'auth.sign-in-failed', address: '198.51.100.20', ...actor },
      { action: 'auth.sign-in', address: '198.51.100.21', ...actor },
    ]);
  });
});

describe('input for signing in', () => {
  const TOO_SHORT = 'Must be 5 characters or more';
  const TOO_LONG = 'Must be 30 characters or less';

  it.each([
    { body: {}, errors: { username: ['Required'], password: ['Required'] } },
    { body: { username: '', password: '' }, errors: { username: ['Required'], password: ['Required'] } },
    { body: { username: null, password: 12345 }, errors: { username: ['Required'], password: ['Required'] } },
    { body: { username: '   ', password: 'x'.repeat(5) }, errors: { username: ['Required'] } },
    { body: { username: 'anna', password: 'x'.repeat(4) }, errors: { password: [TOO_SHORT] } },
    { body: { username: 'anna', password: 'x'.repeat(31) }, errors: { password: [TOO_LONG] } },
    { body: { username: '', password: 'x'.repeat(31) }, errors: { username: ['Required'], password: [TOO_LONG] } },
    {
      body: { username: 'x'.repeat(101), password: 'x'.repeat(30) },
      errors: { username: ['Must be 100 characters or less'] },
    },
  ])('is refused when it is $body, naming every wrong field, and counts no attempt [§5]', async ({ body, errors }) => {
    const answer = await test.call(authRoutes.authenticate, { token: null, body });
    const message = Object.values(errors)[0]?.[0];
    expect(answer).toMatchObject({ status: 400, success: false, title: 'Invalid request', message });
    expect(answer.errors).toEqual(errors);
    expect(await countAttempts()).toBe(0);
  });

  // 1 code unit; 2 code units; 2 code points whose composed form is 1.
  const CHARACTERS = ['x', '\u{1f600}', 'e\u0301'];

  it.each(CHARACTERS)(
    'is accepted with 5 and 30 of %s, and refused with 4 and 31 as too short and too long [§5, §9]',
    async (character) => {
      for (const length of [5, 30]) {
        const password = character.repeat(length);
        const { userName } = await insertAccount(test, { passwordHash: await hashPassword(password) });
        expect(await test.signIn(userName, password)).toMatchObject({ status: 200 });
        expect(await test.signIn(userName, password.normalize('NFC'))).toMatchObject({ status: 200 });
      }
      for (const [length, message] of [
        [4, TOO_SHORT],
        [31, TOO_LONG],
      ] as const) {
        const answer = await test.signIn('anna', character.repeat(length));
        expect(answer).toMatchObject({ status: 400, errors: { password: [message] } });
      }
    },
  );

  it('counts each code point of an emoji [§5]', async () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    const { userName } = await insertAccount(test, { passwordHash: await hashPassword(family) });
    expect(await test.signIn(userName, family)).toMatchObject({ status: 200 });
  });

  it('may have a name of 100 characters [§5]', async () => {
    expect(await test.signIn('x'.repeat(100))).toMatchObject({ status: 401 });
  });
});

describe('GET /auth/me', () => {
  it('gives the profile of the signed-in user and nothing else [§7.1]', async () => {
    const { id, userName } = await insertAccount(test, { role: 'Operator' });
    const token = (await test.signIn(userName)).result.accessToken;
    const { result } = await test.call(authRoutes.me, { token });
    expect(result).toEqual({
      id,
      username: userName,
      email: `${userName}@people.test`,
      firstName: 'Pat',
      lastName: 'Doe',
      phone: '',
      role: 'Operator',
    });
    expect(profile.parse(result)).toEqual(result);
  });

  it('follows a change of the user at once [§7.1]', async () => {
    const { id, userName } = await insertAccount(test);
    const token = (await test.signIn(userName)).result.accessToken;
    await test.context.platform.updateTable('users').set({ phone: '(425) 555-0134' }).where('id', '=', id).execute();
    expect((await test.call(authRoutes.me, { token })).result).toMatchObject({ phone: '(425) 555-0134' });
  });
});

/** Milliseconds of the fastest of seven runs each, taken in turns: the slower ones were delayed by other work. */
async function fastest(works: (() => Promise<unknown>)[]): Promise<number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < 7; run += 1) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      best[index] = Math.min(Number(best[index]), performance.now() - start);
    }
  }
  return best;
}

const signInFrom = (remoteAddress: string, username: string, password: string) =>
  test.app.inject({
    method: 'POST',
    url: '/identity/authenticate/authenticate',
    remoteAddress,
    payload: { username, password },
  });
