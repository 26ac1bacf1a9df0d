import { userRoutes } from '@apotheca/contract/users';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { editedUser, userInput } from '../../testing/builders.ts';

const ROUNDS = 25;
const test = useTestApp();
const roles = {} as Record<'Administrator' | 'Operator' | 'Viewer' | 'Deputy', string>;

beforeAll(async () => {
  const { platform } = test.context;
  // A role with all of an administrator's permissions that is not Administrator.
  await platform.insertInto('roles').values({ name: 'Deputy' }).execute();
  await sql`insert into role_permissions select r.id, p.id from roles r, permissions p where r.name = 'Deputy'`.execute(
    platform,
  );
  for (const name of ['Administrator', 'Operator', 'Viewer', 'Deputy'] as const) {
    roles[name] = await roleIdOf(test, name);
  }
});

type Role = keyof typeof roles;
interface Person extends Account {
  token: string;
}

async function signedIn(role: Role): Promise<Person> {
  const account = await insertAccount(test, { role });
  return { ...account, token: (await signInTo(test, account)).accessToken };
}
const rowOf = ({ id }: { id: string }) =>
  test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const edit = ({ token }: Person, { id, userName }: Account, role: Role, fields: Record<string, unknown> = {}) =>
  test.call(userRoutes.edit, { body: { ...editedUser(userName, roles[role]), id, ...fields }, token });
const deactivate = ({ token }: Person, { id }: Account) => test.call(userRoutes.deactivate, { query: { id }, token });
const remove = ({ token }: Person, { id }: Account) => test.call(userRoutes.delete, { query: { id }, token });

const SECRET = { password: 'battery staple', confirmPassword: 'battery staple' };
const PROTECTED = { status: 409, title: 'Protected' };

describe('an operator', () => {
  let operator: Person;
  let administrator: Account;

  beforeAll(async () => {
    operator = await signedIn('Operator');
    administrator = await insertAccount(test, { role: 'Administrator', userName: 'chief' });
  });

  // The first permission of the catalogue that an administrator has and an operator has not.
  const REFUSED = {
    status: 403,
    message: "This user role has the permission 'tenants.delete', which you do not have.",
  };

  it('cannot make an administrator: neither a new one, nor of a viewer, nor of themselves [§6]', async () => {
    const body = userInput('forged', roles.Administrator);
    expect(await test.call(userRoutes.create, { body, token: operator.token })).toMatchObject(REFUSED);
    const viewer = await insertAccount(test);
    expect(await edit(operator, viewer, 'Administrator')).toMatchObject(REFUSED);
    expect(await edit(operator, operator, 'Administrator')).toMatchObject(REFUSED);
    const query = { id: administrator.id, userName: 'chief-2' };
    expect(await test.call(userRoutes.duplicate, { query, token: operator.token })).toMatchObject(REFUSED);

    expect(await rowOf(viewer)).toMatchObject({ roleId: roles.Viewer, version: 1 });
    expect(await rowOf(operator)).toMatchObject({ roleId: roles.Operator, version: 1 });
    const { platform } = test.context;
    const forged = platform.selectFrom('users').select('id').where('userName', 'in', ['forged', 'chief-2']);
    expect(await forged.execute()).toEqual([]);
  });

  it('cannot change an administrator, least of all the password [§6]', async () => {
    expect(await edit(operator, administrator, 'Administrator', SECRET)).toMatchObject(REFUSED);
    expect(await edit(operator, administrator, 'Viewer')).toMatchObject(REFUSED);
    expect(await deactivate(operator, administrator)).toMatchObject(REFUSED);
    const query = { id: administrator.id };
    expect(await test.call(userRoutes.activate, { query, token: operator.token })).toMatchObject(REFUSED);
    expect(await rowOf(administrator)).toMatchObject({ roleId: roles.Administrator, isActive: true, version: 1 });
    expect((await test.signIn('chief')).status).toBe(200);
  });

  it('is refused, and the audit trail names the call and the permission [§6]', async () => {
    const caught = await signedIn('Operator');
    await deactivate(caught, administrator);
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('actorId', '=', caught.id)
      .where('action', '=', 'auth.refused')
      .execute();
    const changes = { path: '/users/deactivate', reason: 'not-allowed', permission: 'tenants.delete' };
    expect(entries).toEqual([{ changes }]);
  });

  it('can create, edit, duplicate and deactivate operators and viewers [§6]', async () => {
    for (const role of ['Operator', 'Viewer'] as const) {
      const userName = `made-${role}`;
      const { token } = operator;
      const made = await test.call(userRoutes.create, { body: userInput(userName, roles[role]), token });
      const { id } = made.result;
      expect((await edit(operator, { id, userName }, role, SECRET)).status).toBe(200);
      const query = { id, userName: `copy-${role}` };
      expect((await test.call(userRoutes.duplicate, { query, token })).status).toBe(200);
      expect((await deactivate(operator, { id, userName })).status).toBe(200);
    }
  });
});

describe('one’s own record', () => {
  it('keeps its role, and cannot be deactivated or deleted [§6]', async () => {
    const own = await signedIn('Administrator');
    expect(await edit(own, own, 'Deputy')).toMatchObject({
      ...PROTECTED,
      message: 'You cannot change your own user role.',
    });
    expect(await edit(own, own, 'Viewer')).toMatchObject(PROTECTED);
    expect(await deactivate(own, own)).toMatchObject({ ...PROTECTED, message: 'You cannot deactivate yourself.' });
    expect(await remove(own, own)).toMatchObject({ ...PROTECTED, message: 'You cannot delete yourself.' });
    expect(await rowOf(own)).toMatchObject({
      roleId: roles.Administrator,
      isActive: true,
      deletedAt: null,
      version: 1,
    });
  });

  it('is recognized by its id in upper case too [§6]', async () => {
    const own = await signedIn('Administrator');
    const shouted = { ...own, id: own.id.toUpperCase() };
    expect(await deactivate(own, shouted)).toMatchObject(PROTECTED);
    const roleId = roles.Administrator.toUpperCase();
    expect((await edit(own, shouted, 'Administrator', { roleId, fName: 'Ida' })).status).toBe(200);
    const entries = test.context.platform.selectFrom('auditEntries').select('id').where('action', '=', 'users.edit');
    expect(await entries.where('entityId', '=', own.id).execute()).toHaveLength(1);
  });

  it('can get other names and another password [§6]', async () => {
    const own = await signedIn('Operator');
    const renamed = { ...own, userName: `${own.userName}-new` };
    expect((await edit(own, renamed, 'Operator', SECRET)).status).toBe(200);
    expect((await test.signIn(renamed.userName, SECRET.password)).status).toBe(200);
  });
});

describe('the last administrator who can sign in', () => {
  const LAST = { ...PROTECTED, message: 'At least one active Administrator with a password must stay.' };

  beforeEach(async () => {
    await test.context.platform.deleteFrom('sessions').execute();
    await deactivateAdministrators();
  });

  const administrator = (fields: Partial<Parameters<typeof insertAccount>[1]> = {}) =>
    insertAccount(test, { role: 'Administrator', ...fields });

  it('stays, whoever the caller is [DECISIONS §5]', async () => {
    const deputy = await signedIn('Deputy');
    const last = await administrator();
    // None of these can sign in instead.
    await administrator({ isActive: false });
    await administrator({ passwordHash: null });
    await remove(deputy, await administrator());

    expect(await edit(deputy, last, 'Deputy')).toMatchObject(LAST);
    expect(await deactivate(deputy, last)).toMatchObject(LAST);
    expect(await remove(deputy, last)).toMatchObject(LAST);
    expect(await rowOf(last)).toMatchObject({
      roleId: roles.Administrator,
      isActive: true,
      deletedAt: null,
      version: 1,
    });
    expect((await edit(deputy, last, 'Administrator', SECRET)).status).toBe(200);
  });

  it('can be changed if there is another one; administrators who cannot sign in always can [DECISIONS §5]', async () => {
    const deputy = await signedIn('Deputy');
    const last = await administrator();
    expect((await remove(deputy, await administrator({ passwordHash: null }))).status).toBe(200);
    expect((await edit(deputy, await administrator({ isActive: false }), 'Viewer')).status).toBe(200);
    await administrator();
    expect((await deactivate(deputy, last)).status).toBe(200);
  });

  const demote = (by: Person, user: Account) => edit(by, user, 'Viewer');
  const WAYS = { demote, deactivate, remove };

  it.each(Object.entries(WAYS))(
    `stays when two deputies each %s one of the last two at once, ${ROUNDS} times [DECISIONS §5]`,
    async (_, change) => {
      const deputies = [await signedIn('Deputy'), await signedIn('Deputy')] as const;
      for (let round = 0; round < ROUNDS; round += 1) {
        const pair = [await administrator(), await administrator()] as const;
        const answers = await Promise.all([change(deputies[0], pair[0]), change(deputies[1], pair[1])]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
        expect(await activeAdministrators()).toBe(1);
        await deactivateAdministrators();
      }
    },
  );

  it.each(Object.entries(WAYS))(
    `stays when the last two %s each other at once, ${ROUNDS} times [DECISIONS §5]`,
    async (_, change) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [one, other] = [await signedIn('Administrator'), await signedIn('Administrator')];
        const answers = await Promise.all([change(one, other), change(other, one)]);
        // The second one is no administrator any more: signed out before the call, or without the permission in it.
        const [first, second] = answers.map(({ status }) => status).toSorted();
        expect(first).toBe(200);
        expect([401, 403]).toContain(second);
        expect(await activeAdministrators()).toBe(1);
        await deactivateAdministrators();
      }
    },
  );

  async function deactivateAdministrators(): Promise<void> {
    const { platform } = test.context;
    await platform.updateTable('users').set({ isActive: false }).where('roleId', '=', roles.Administrator).execute();
  }

  async function activeAdministrators(): Promise<number> {
    const rows = await test.context.platform
      .selectFrom('users')
      .select('id')
      .where('roleId', '=', roles.Administrator)
      .where('isActive', '=', true)
      .where('deletedAt', 'is', null)
      .where('passwordHash', 'is not', null)
      .execute();
    return rows.length;
  }
});
