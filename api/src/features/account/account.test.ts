import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes, COMMON_PASSWORD } from '@apotheca/contract/auth';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { userRoutes } from '@apotheca/contract/users';
import { staleRecord } from '@apotheca/contract/version';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_LINE_ACTOR } from '../../actor.ts';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { editedUser } from '../../testing/builders.ts';
import { patiently } from '../../testing/patiently.ts';
import { setUserPassword } from '../users/users.service.ts';

const test = useTestApp();
const { password: OLD } = ADMINISTRATOR;
const NEW = 'battery staple 7';
const WRONG = 'wrong horse';

beforeEach(async () => {
  await test.context.platform.deleteFrom('signInAttempts').execute();
});

interface Person extends Account {
  token: string;
}

async function signInNew(): Promise<Person> {
  const account = await insertAccount(test);
  return { ...account, token: (await signInTo(test, account)).accessToken };
}

const get = ({ token }: Person) => test.call(accountRoutes.get, { token });
const edit = ({ token }: Person, fields: object) =>
  test.call(accountRoutes.edit, { token, body: { fName: 'Pat', lName: 'Doe', phone: '', ...fields } });
const change = ({ token }: Person, { current = OLD, password = NEW, confirm = '' } = {}) =>
  test.call(accountRoutes.changePassword, {
    token,
    body: { currentPassword: current, password, confirmPassword: confirm || password },
  });

const isSignedIn = async (token: string) => (await test.call(authRoutes.me, { token })).status === 200;
const count = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

async function lastEntryOf({ id }: Person) {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'actorId', 'changes']);
  return entries.where('entityId', '=', id).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

describe("one's own rights", () => {
  const rights = ({ token }: Person) => test.call(accountRoutes.rights, { token });

  it("are the active permissions of one's role, with the roles that can grant more [DECISIONS §5]", async () => {
    const person = await signInNew();
    const { permissions, grantedBy } = (await rights(person)).result;
    const readable = PERMISSION_CATALOGUE.filter(({ access }) => access === 'read').map(({ identifier }) => identifier);
    expect({ permissions, grantedBy }).toEqual({ permissions: readable.toSorted(), grantedBy: ['Administrator'] });
    const setActive = (isActive: boolean) =>
      test.context.platform
        .updateTable('permissions')
        .set({ isActive })
        .where('identifier', '=', 'faqs.read')
        .execute();
    await setActive(false);
    expect((await rights(person)).result.permissions).not.toContain('faqs.read');
    await setActive(true);
  });
});

describe("one's own record", () => {
  it('is read and changed without a permission: names and phone, and nothing else [DECISIONS §13]', async () => {
    const person = await signInNew();
    const before = (await get(person)).result;
    expect(before).toMatchObject({
      id: person.id,
      username: person.userName,
      fName: 'Pat',
      role: 'Viewer',
      version: 1,
    });
    const foreign = { userName: 'chief', email: 'chief@people.test', roleId: 'none', isActive: false };
    const changed = await edit(person, { fName: ' Ada ', lName: 'Byron', phone: '555-0100', version: 1, ...foreign });
    expect(changed).toMatchObject({ status: 200, message: 'Your account has been updated.' });
    expect(changed.result).toEqual({ ...before, fName: 'Ada', lName: 'Byron', phone: '555-0100', version: 2 });
    expect((await get(person)).result).toEqual(changed.result);
    expect(await lastEntryOf(person)).toEqual({
      action: 'users.edit',
      actorId: person.id,
      changes: { fName: ['Pat', 'Ada'], lName: ['Doe', 'Byron'], phone: ['', '555-0100'], version: [1, 2] },
    });
  });

  it('names the fields that are not valid [DECISIONS §13]', async () => {
    const answer = await edit(await signInNew(), { fName: '', phone: '5'.repeat(31) });
    expect(answer).toMatchObject({
      status: 400,
      errors: { fName: ['First Name is required'], phone: ['Phone should not be more than 30 characters'] },
    });
  });

  it('keeps a phone that the edit does not name; null empties it [DECISIONS §5]', async () => {
    const person = await signInNew();
    const phoneAfter = async (fields: object) => (await edit(person, { phone: undefined, ...fields })).result.phone;
    expect([await phoneAfter({ phone: '555-0100' }), await phoneAfter({}), await phoneAfter({ phone: null })]).toEqual([
      '555-0100',
      '555-0100',
      '',
    ]);
  });

  it('is not overwritten where it was changed meanwhile [DECISIONS §13]', async () => {
    const person = await signInNew();
    expect((await edit(person, { phone: '1', version: 1 })).status).toBe(200);
    const stale = await edit(person, { phone: '2', version: 1 });
    expect(stale.status).toBe(409);
    expect(staleRecord.parse(stale.result)).toMatchObject({ version: 2, changes: [{ field: 'phone', after: '1' }] });
    expect((await edit(person, { phone: '2', version: 2 })).status).toBe(200);
  });

  it('tells of what others changed meanwhile only what one may read of oneself [DECISIONS §13]', async () => {
    const person = await signInNew();
    const body = editedUser(person.userName, await roleIdOf(test, 'Viewer'));
    const fields = { id: person.id, fName: 'Pat', lName: 'Doe', notes: 'to be dismissed', phone: '7' };
    expect((await test.call(userRoutes.edit, { body: { ...body, ...fields } })).status).toBe(200);
    const stale = await edit(person, { phone: undefined, version: 1 });
    expect(stale.status).toBe(409);
    expect(staleRecord.parse(stale.result).changes).toMatchObject([{ field: 'phone', before: '', after: '7' }]);
  });

  it('is not changed by an API token [DECISIONS §13]', async () => {
    const person = await signInNew();
    const body = { name: 'script', minutes: 60 };
    const { accessToken: token } = (await test.call(authRoutes.generateToken, { body, token: person.token })).result;
    expect((await get({ ...person, token })).status).toBe(200);
    expect((await edit({ ...person, token }, {})).status).toBe(403);
    expect((await change({ ...person, token })).status).toBe(403);
  });
});

describe("one's own password", () => {
  it('is changed, ends every other session and API token, and leaves this one [DECISIONS §13]', async () => {
    const account = await insertAccount(test);
    // It has ended already, by not being used.
    await signInTo(test, account);
    test.clock.advance(13 * 3600);
    const person = { ...account, token: (await signInTo(test, account)).accessToken };
    const elsewhere = await signInTo(test, person);
    const body = { name: 'script', minutes: 60 };
    const token = (await test.call(authRoutes.generateToken, { body, token: person.token })).result.accessToken;
    expect(await change(person)).toMatchObject({ status: 200, result: { ended: 2 } });
    expect(await Promise.all([person.token, elsewhere.accessToken, token].map(isSignedIn))).toEqual([
      true,
      false,
      false,
    ]);
    const refresh = { refreshToken: elsewhere.refreshToken, accessToken: elsewhere.accessToken };
    expect((await test.call(authRoutes.refresh, { body: refresh, token: null })).status).toBe(401);
    expect([
      (await test.signIn(person.userName, OLD)).status,
      (await test.signIn(person.userName, NEW)).status,
    ]).toEqual([401, 200]);
    expect(await lastEntryOf(person)).toMatchObject({ action: 'auth.sign-in' });
    const entries = test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('entityId', '=', person.id);
    const [changed] = await entries.where('action', '=', 'users.edit').execute();
    expect(changed?.changes).toEqual({ password: 'changed', version: [1, 2] });
  });

  it('ends what counts as ended only by the clock of the server that is asked, and counts it as none [DECISIONS §4]', async () => {
    const account = await insertAccount(test);
    const stolen = await signInTo(test, account);
    test.clock.advance(8 * 86_400);
    const person = { ...account, token: (await signInTo(test, account)).accessToken };
    expect(await change(person)).toMatchObject({ status: 200, result: { ended: 0 } });
    test.clock.advance(-8 * 86_400);
    expect(await isSignedIn(stolen.accessToken)).toBe(false);
    expect((await test.call(authRoutes.refresh, { body: stolen, token: null })).status).toBe(401);
  });

  it('proves who is signed in [DECISIONS §13]', async () => {
    const person = await signInNew();
    await test.context.platform
      .updateTable('sessions')
      .set({ provedAt: new Date(0) })
      .where('userId', '=', person.id)
      .execute();
    const generate = () =>
      test.call(authRoutes.generateToken, { body: { name: 'script', minutes: 5 }, token: person.token });
    expect((await generate()).status).toBe(403);
    expect((await change(person)).status).toBe(200);
    expect((await generate()).status).toBe(200);
  });

  it.each([
    ['a wrong present one', { current: WRONG }, { currentPassword: [WRONG_PASSWORD] }],
    ['one of the most common ones', { password: 'QWERTY123456' }, { password: [COMMON_PASSWORD] }],
    ['one that is confirmed otherwise', { confirm: `${NEW}!` }, { confirmPassword: ['Passwords must match'] }],
    ['one that is too long', { password: 'x'.repeat(31) }, { password: ['Must be 30 characters or less'] }],
  ])('is refused with %s at its field, and nothing changes [DECISIONS §13]', async (_what, passwords, errors) => {
    const person = await signInNew();
    const elsewhere = await signInTo(test, person);
    expect(await change(person, passwords)).toMatchObject({ status: 400, errors });
    expect(await isSignedIn(elsewhere.accessToken)).toBe(true);
    expect((await test.signIn(person.userName, OLD)).status).toBe(200);
  });

  it('lets no more than 5 of 100 guesses at once pass [§4] [DECISIONS §13]', async () => {
    const person = await signInNew();
    const guesses = Array.from({ length: 100 }, () => patiently(() => change(person, { current: WRONG })));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 95]);
    expect((await change(person)).status).toBe(429);
  });

  it('changed twice at once is changed by one of the two [DECISIONS §13]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signInNew();
      const chosen = [NEW, `${NEW}!`];
      const answers = await Promise.all(chosen.map((password) => change(person, { password })));
      const isChanged = answers.map(({ status }) => status === 200);
      expect(isChanged.toSorted()).toEqual([false, true]);
      const signIns = chosen.map(async (password) => (await test.signIn(person.userName, password)).status === 200);
      expect(await Promise.all(signIns)).toEqual(isChanged);
    }
  });

  it("is the administrator's where both set one at once, and nobody stays signed in [DECISIONS §13]", async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signInNew();
      const reset = `${NEW}?`;
      const [own] = await Promise.all([
        change(person),
        setUserPassword(test.context, COMMAND_LINE_ACTOR, person.id, reset),
      ]);
      expect([200, 400, 401]).toContain(own.status);
      expect((await test.signIn(person.userName, reset)).status).toBe(200);
      expect(await isSignedIn(person.token)).toBe(false);
    }
  });
});
