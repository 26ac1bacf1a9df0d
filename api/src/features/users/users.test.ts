import { authRoutes } from '@apotheca/contract/auth';
import { USER_LIMITS, USER_SORT_COLUMNS, user, userOptions, userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { userInput } from '../../testing/builders.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const test = useTestApp();
let viewer: string;
let operator: string;

beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  operator = await roleIdOf(test, 'Operator');
});

type Fields = Parameters<typeof userInput>[2];
const create = (userName: string, fields: Fields = {}) =>
  test.call(userRoutes.create, { body: userInput(userName, viewer, fields) });
const createdId = async (userName: string, fields: Fields = {}): Promise<string> =>
  (await create(userName, fields)).result.id;
const edit = (id: string, userName: string, fields: Record<string, unknown> = {}) => {
  const { password: _, confirmPassword: __, ...kept } = userInput(userName, viewer);
  return test.call(userRoutes.edit, { body: { ...kept, id, ...fields } });
};
const list = async (query: Record<string, string> = {}) => (await test.call(userRoutes.list, { query })).result;
const find = async (id: string) => (await list()).find((row: { id: string }) => row.id === id);
const rowOf = (id: string) =>
  test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const audited = (entityId: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'actorName', 'changes'])
    .where('entityId', '=', entityId)
    .where('action', 'like', 'users.%')
    .orderBy('id')
    .execute();
const isSignedIn = async (token: string) => (await test.call(authRoutes.me, { token })).status === 200;

describe('GET /users/get', () => {
  it('gives every user in the shape of the contract, and never a password [§3]', async () => {
    const id = await createdId('shape', {
      email: 'shape@people.test',
      mi: 'Q',
      phone: '(425) 555-0134',
      notes: 'Nights',
    });
    const rows = await list();
    expect(z.array(z.strictObject(user.shape)).parse(rows)).toEqual(rows);
    expect(JSON.stringify(rows)).not.toContain('argon2');
    expect(await find(id)).toMatchObject({
      userName: 'shape',
      email: 'shape@people.test',
      fName: 'Ines',
      lName: 'Moreau',
      mi: 'Q',
      title: 'PharmD',
      deaNumber: 'NA',
      phone: '(425) 555-0134',
      notes: 'Nights',
      clinicalRoleId: 'pharmacist',
      roleId: viewer,
      role: { roleName: 'Viewer' },
      isActive: true,
      hasPassword: true,
      version: 1,
      spSRXID: expect.stringMatching(/^\d+$/),
      createdOnUtc: '2026-11-20T23:20:00+00:00',
    });
  });

  it('sorts by user name ascending first, and by every sort key both ways, ignoring case [§2.11]', async () => {
    await create('Sort-b', { fName: 'adam', email: 'Zoe@sort.test', roleId: operator });
    await create('sort-A', { fName: 'Zoe', email: 'adam@sort.test' });
    const isAFirst = { userName: true, fName: false, email: true, role: false };
    for (const sortColumn of USER_SORT_COLUMNS) {
      const order = async (query: Record<string, string>) =>
        (await list(query))
          .map(({ userName }: { userName: string }) => userName)
          .filter((userName: string) => /^sort-/i.test(userName));
      const ascending = isAFirst[sortColumn] ? ['sort-A', 'Sort-b'] : ['Sort-b', 'sort-A'];
      expect(await order({ sortColumn }), sortColumn).toEqual(ascending);
      expect(await order({ sortColumn, sortDirection: 'desc' }), sortColumn).toEqual(ascending.toReversed());
    }
    expect((await list())[0].userName).toBe(ADMINISTRATOR.userName);
  });

  it('orders equals by user name, whichever way [§2.11]', async () => {
    for (const userName of ['tie-c', 'TIE-b', 'tie-a']) await create(userName, { fName: 'Tie' });
    for (const sortDirection of ['asc', 'desc']) {
      const ties = (await list({ sortColumn: 'fName', sortDirection })).filter(
        ({ fName }: { fName: string }) => fName === 'Tie',
      );
      expect(ties.map(({ userName }: { userName: string }) => userName)).toEqual(['tie-a', 'TIE-b', 'tie-c']);
    }
  });

  it('refuses an unknown column or direction [§7.2]', async () => {
    const answer = await test.call(userRoutes.list, { query: { sortColumn: 'password_hash', sortDirection: 'up' } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.errors ?? {})).toEqual(['sortColumn', 'sortDirection']);
  });
});

describe('GET /users/renderuserpage', () => {
  it('gives clinical roles and roles to choose from [§7.2]', async () => {
    const { result } = await test.call(userRoutes.options);
    expect(userOptions.parse(result)).toEqual(result);
    expect(result.clinicalRoles[0]).toEqual({ id: 'physician', roleDescription: 'Physician' });
    expect(result.clinicalRoles).toHaveLength(8);
    expect(result.roles.map(({ roleName }: { roleName: string }) => roleName)).toEqual([
      'Administrator',
      'Operator',
      'Viewer',
    ]);
  });
});

describe('POST /users/create', () => {
  it('wants a token, and the permission to write users [§6]', async () => {
    const body = userInput('refused', viewer);
    expect((await test.call(userRoutes.create, { body, token: null })).status).toBe(401);
    const { accessToken: token } = await signInTo(test, await insertAccount(test));
    const refused = await test.call(userRoutes.create, { body, token });
    expect(refused).toMatchObject({ status: 403, message: "You do not have the permission 'users.write'." });
    expect((await list()).map(({ userName }: { userName: string }) => userName)).not.toContain('refused');
  });

  it('names every required field that is missing [§5]', async () => {
    const { status, errors } = await test.call(userRoutes.create, { body: {} });
    expect({ status, errors }).toEqual({
      status: 400,
      errors: {
        userName: ['User Name or Email is Required'],
        email: ['Email or User Name is required'],
        fName: ['First Name is required'],
        lName: ['Last Name is required'],
        title: ['Credentials are required'],
        clinicalRoleId: ['Clinical Role is Required'],
        roleId: ['User Role is Required'],
        password: ['Password is Required'],
        confirmPassword: ['Confirm Password is Required'],
      },
    });
  });

  const texts = Object.entries(USER_LIMITS).filter(([field]) => field !== 'email' && field !== 'deaNumber');
  it.each(texts)('takes %s of %i characters and refuses one more [§5]', async (field, max) => {
    const at = await create(`limit-${field}`, { [field]: 'X'.repeat(max) });
    expect(at.status, JSON.stringify(at)).toBe(200);
    const over = await create(`over-${field}`, { [field]: 'X'.repeat(max + 1) });
    expect(over).toMatchObject({
      status: 400,
      errors: { [field]: [expect.stringMatching(`not be more than ${max} character`)] },
    });
  });

  it('takes an e-mail address of 100 characters and refuses a longer one, and what is none [§5]', async () => {
    const address = (length: number) => `${'e'.repeat(length - '@people.test'.length)}@people.test`;
    const refused = (email: string) => create('', { email });
    expect(await refused(address(101))).toMatchObject({ status: 400, errors: { email: expect.any(Array) } });
    expect(await refused('nobody')).toMatchObject({ status: 400, errors: { email: ['Please enter a valid Email'] } });
    // An e-mail address has at most 64 characters before the @ by RFC 5321; the form's pattern does not count them.
    expect((await refused(address(100))).status).toBe(200);
  });

  it('refuses passwords that differ, and one that is not confirmed [§5]', async () => {
    expect(await create('differs', { confirmPassword: 'Correct horse' })).toMatchObject({
      status: 400,
      errors: { confirmPassword: ['Passwords must match'] },
    });
    expect(await create('unconfirmed', { confirmPassword: '' })).toMatchObject({
      status: 400,
      errors: { confirmPassword: ['Confirm Password is Required'] },
    });
  });

  it('refuses a role or clinical role that there is not [§5]', async () => {
    expect(await create('norole', { roleId: NOBODY })).toMatchObject({
      status: 400,
      errors: { roleId: ['This User Role is unknown.'] },
    });
    expect(await create('noclinical', { clinicalRoleId: 'wizard' })).toMatchObject({
      status: 400,
      errors: { clinicalRoleId: ['This Clinical Role is unknown.'] },
    });
  });

  it('creates a user who can sign in by either name, and audits it without the password [§7.2]', async () => {
    const answer = await create('either', {
      email: 'Either@People.test',
      password: 'secret-1',
      confirmPassword: 'secret-1',
    });
    expect(answer).toMatchObject({ status: 200, message: 'Success! User profile has been Created.' });
    expect((await test.signIn('EITHER', 'secret-1')).status).toBe(200);
    expect((await test.signIn('either@people.TEST', 'secret-1')).status).toBe(200);
    expect((await test.signIn('either', 'Secret-1')).status).toBe(401);
    expect(await rowOf(answer.result.id)).toMatchObject({ passwordHash: expect.stringMatching(/^\$argon2id\$/) });
    const changes = { userName: 'either', email: 'Either@People.test', roleId: viewer };
    expect(await audited(answer.result.id)).toEqual([{ action: 'users.create', actorName: 'admin', changes }]);
  });

  it('takes a user who is inactive, and one with an e-mail address only [§5]', async () => {
    const idle = await createdId('idle', { isActive: false });
    expect(await find(idle)).toMatchObject({ isActive: false });
    expect((await test.signIn('idle', 'correct horse')).status).toBe(401);
    const nameless = await createdId('', { email: 'nameless@people.test' });
    expect(await find(nameless)).toMatchObject({ userName: '', email: 'nameless@people.test' });
    expect((await create('', { email: 'second-nameless@people.test' })).status).toBe(200);
  });
});

describe('names of users', () => {
  const TAKEN = { userName: ['This User Name is taken already.'], email: ['This Email is taken already.'] };

  it('are taken whatever their case, each told at its field [§5]', async () => {
    await create('Taken', { email: 'taken@people.test' });
    expect(await create('tAKEN', { email: 'TAKEN@people.test' })).toMatchObject({ status: 409, errors: TAKEN });
    const other = await createdId('other', { email: 'other@people.test' });
    const { status, title, errors } = await edit(other, 'TAKEN', { email: 'other@people.test' });
    expect({ status, title, errors }).toEqual({
      status: 409,
      title: 'Already exists',
      errors: { userName: TAKEN.userName },
    });
    expect(await find(other)).toMatchObject({ userName: 'other', version: 1 });
  });

  it("are nobody else's other name either, since both sign in [§5]", async () => {
    await create('me@people.test');
    expect(await create('x1', { email: 'ME@people.test' })).toMatchObject({
      status: 409,
      errors: { email: TAKEN.email },
    });
    await create('mailed', { email: 'm@people.test' });
    expect(await create('M@people.test')).toMatchObject({ status: 409, errors: { userName: TAKEN.userName } });
    const id = await createdId('x2');
    expect(await edit(id, 'm@PEOPLE.test')).toMatchObject({ status: 409, errors: { userName: TAKEN.userName } });
  });

  it('may be both the same for one user, and change their case [§5]', async () => {
    const id = await createdId('both@people.test', { email: 'both@people.test' });
    expect((await edit(id, 'Both@people.test', { email: 'BOTH@people.test' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ userName: 'Both@people.test', email: 'BOTH@people.test' });
  });

  const named = (index: number, twin: string) => {
    const name = index % 2 ? `${twin}@PEOPLE.test` : `${twin}@people.test`;
    return index % 4 < 2 ? { userName: name, email: '' } : { userName: `${twin}-${index}`, email: name };
  };
  const statusesOf20 = async (ask: (index: number) => ReturnType<typeof create>) => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
    return answers.map(({ status }) => status).toSorted();
  };

  it('go to exactly one of 20 who ask at once, in any case, as either name [§5]', async () => {
    const exactlyOne = [200, ...Array(19).fill(409)];
    const source = await createdId('twin-source');
    const duplicate = (index: number) =>
      test.call(userRoutes.duplicate, { query: { id: source, ...named(index, 'twin') } });
    expect(await statusesOf20(duplicate)).toEqual(exactlyOne);
    expect(await statusesOf20((index) => create('', named(index, 'clone')))).toEqual(exactlyOne);
  });
});

describe('PUT /users/edit', () => {
  it('knows no user that is not there, or is deleted [§7.2]', async () => {
    expect((await edit(NOBODY, 'nobody')).status).toBe(404);
    expect(await edit('', 'nobody')).toMatchObject({ status: 400, errors: { id: ['Id is required'] } });
    const gone = await createdId('gone');
    await test.call(userRoutes.delete, { query: { id: gone } });
    expect((await edit(gone, 'gone', { version: 1 })).status).toBe(404);
  });

  it('changes fields, and audits them before and after [§7.2]', async () => {
    const id = await createdId('edited');
    const answer = await edit(id, 'edited', { fName: 'Inès', phone: '(208) 555-0199', clinicalRoleId: 'physician' });
    expect(answer).toMatchObject({ status: 200, message: 'Success! User profile has been updated.' });
    expect(await find(id)).toMatchObject({ fName: 'Inès', phone: '(208) 555-0199', version: 2 });
    const [, entry] = await audited(id);
    expect(entry).toEqual({
      action: 'users.edit',
      actorName: 'admin',
      changes: {
        fName: ['Ines', 'Inès'],
        phone: ['', '(208) 555-0199'],
        clinicalRoleId: ['pharmacist', 'physician'],
        version: [1, 2],
      },
    });
  });

  it('keeps the NPI and the password that it does not name, and open sessions with them [§5]', async () => {
    const id = await createdId('keeper', { deaNumber: 'AB1234563' });
    const { accessToken } = await signInTo(test, { userName: 'keeper' });
    expect((await edit(id, 'keeper', { password: '', confirmPassword: '', notes: 'New' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ deaNumber: 'AB1234563', notes: 'New' });
    expect(await isSignedIn(accessToken)).toBe(true);
    expect((await test.signIn('keeper', 'correct horse')).status).toBe(200);
    expect((await edit(id, 'keeper', { deaNumber: 'XY1' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ deaNumber: 'XY1' });
  });

  it('sets a new password, ends every session and notes no secret [§7.2]', async () => {
    const id = await createdId('renewed');
    const { accessToken } = await signInTo(test, { userName: 'renewed' });
    const password = { password: 'battery staple', confirmPassword: 'battery staple' };
    expect((await edit(id, 'renewed', password)).status).toBe(200);
    expect(await isSignedIn(accessToken)).toBe(false);
    expect((await test.signIn('renewed', 'correct horse')).status).toBe(401);
    expect((await test.signIn('renewed', 'battery staple')).status).toBe(200);
    const [, entry] = await audited(id);
    expect(entry?.changes).toEqual({ version: [1, 2], password: 'changed' });
  });

  it('gives another role at once, and ends every session [DECISIONS §4]', async () => {
    const id = await createdId('promoted');
    const { accessToken } = await signInTo(test, { userName: 'promoted' });
    expect((await edit(id, 'promoted', { roleId: operator })).status).toBe(200);
    expect(await isSignedIn(accessToken)).toBe(false);
    expect((await test.signIn('promoted', 'correct horse')).result.role).toBe('Operator');
  });
});

describe('PUT /users/activate and /users/deactivate', () => {
  it('toggle a user, end the sessions, and audit it [§4]', async () => {
    const id = await createdId('toggled');
    const { accessToken } = await signInTo(test, { userName: 'toggled' });
    expect(await test.call(userRoutes.deactivate, { query: { id } })).toMatchObject({
      status: 200,
      message: 'User profile has been deactivated successfully',
    });
    expect(await find(id)).toMatchObject({ isActive: false, version: 2 });
    expect(await isSignedIn(accessToken)).toBe(false);
    expect(await test.call(userRoutes.activate, { query: { id } })).toMatchObject({
      status: 200,
      message: 'User profile has been activated successfully',
    });
    expect(await isSignedIn(accessToken)).toBe(false);
    expect(await find(id)).toMatchObject({ isActive: true, version: 3 });
    expect((await audited(id)).slice(1)).toMatchObject([
      { action: 'users.deactivate', changes: { isActive: [true, false], version: [1, 2] } },
      { action: 'users.activate', changes: { isActive: [false, true], version: [2, 3] } },
    ]);
  });

  it('leave a user as they are who is so already, in the same version [§4]', async () => {
    const id = await createdId('twice');
    expect((await test.call(userRoutes.activate, { query: { id } })).status).toBe(200);
    expect(await find(id)).toMatchObject({ isActive: true, version: 1 });
    expect(await audited(id)).toHaveLength(1);
    expect((await test.call(userRoutes.deactivate, { query: { id: NOBODY } })).status).toBe(404);
  });
});

describe('POST /users/duplicate', () => {
  const duplicate = (id: string, names: Record<string, string>) =>
    test.call(userRoutes.duplicate, { query: { id, ...names } });

  it('wants a name, and one that no user has [§5]', async () => {
    const id = await createdId('original', { email: 'original@people.test' });
    expect(await duplicate(id, {})).toMatchObject({ status: 400, errors: { userName: expect.any(Array) } });
    const taken = await duplicate(id, { userName: 'ORIGINAL', email: 'Original@people.test' });
    expect({ status: taken.status, errors: taken.errors }).toEqual({
      status: 409,
      errors: {
        userName: ['Username should not be the same as the existing username'],
        email: ['Email should not be the same as the existing email'],
      },
    });
    expect((await duplicate(NOBODY, { userName: 'fresh' })).status).toBe(404);
  });

  it('copies every field but names and password; nobody signs in as the copy until one is set [§2.11]', async () => {
    const fields = { deaNumber: 'AB1', mi: 'Q', phone: '1', notes: 'Nights', isActive: false, roleId: operator };
    const id = await createdId('source', fields);
    const answer = await duplicate(id, { email: 'copy@people.test' });
    expect(answer).toMatchObject({ status: 200, message: 'Success! User has been Duplicated.' });
    const copyId = answer.result.id;
    const { spSRXID, ...copy } = await find(copyId);
    const source = await find(id);
    const own = { id: copyId, userName: '', email: 'copy@people.test', isActive: true, hasPassword: false };
    expect(copy).toEqual({ ...source, spSRXID: undefined, ...own });
    expect(spSRXID).not.toBe(source.spSRXID);
    const [entry] = await audited(copyId);
    expect(entry).toMatchObject({ action: 'users.duplicate', changes: { copiedFrom: id, email: 'copy@people.test' } });

    expect((await test.signIn('copy@people.test', 'correct horse')).status).toBe(401);
    const set = { email: 'copy@people.test', password: 'battery staple', confirmPassword: 'battery staple' };
    expect((await edit(copyId, '', set)).status).toBe(200);
    expect((await test.signIn('copy@people.test', 'battery staple')).status).toBe(200);
  });
});

describe('PUT /users/softdelete', () => {
  const remove = (id: string, query: Record<string, string> = {}) =>
    test.call(userRoutes.delete, { query: { id, ...query } });

  it('wants the permission to delete users [§6]', async () => {
    const id = await createdId('undeleted');
    const { accessToken: token } = await signInTo(test, await insertAccount(test, { role: 'Operator' }));
    expect(await test.call(userRoutes.delete, { query: { id }, token })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'users.delete'.",
    });
    expect(await find(id)).toBeDefined();
  });

  it('takes the user off the list, ends the sessions, frees the names and keeps the row [§4]', async () => {
    const id = await createdId('deleted', { email: 'deleted@people.test' });
    const { accessToken } = await signInTo(test, { userName: 'deleted' });
    expect(await remove(id)).toMatchObject({ status: 200, message: 'User deleted successfully.' });
    expect(await find(id)).toBeUndefined();
    expect(await isSignedIn(accessToken)).toBe(false);
    expect((await test.signIn('deleted', 'correct horse')).status).toBe(401);
    const administrator = (await list()).find(({ userName }: { userName: string }) => userName === 'admin');
    expect(await rowOf(id)).toMatchObject({ deletedAt: test.clock.now, deletedBy: administrator.id });
    expect((await create('DELETED', { email: 'Deleted@people.test' })).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    expect((await test.call(userRoutes.activate, { query: { id } })).status).toBe(404);
    expect((await test.call(userRoutes.duplicate, { query: { id, userName: 'again' } })).status).toBe(404);
  });

  it('notes the reason, or that none came [§2.11]', async () => {
    const reasonOf = async (userName: string, query: Record<string, string>) => {
      const id = await createdId(userName);
      await remove(id, query);
      return (await audited(id)).at(-1);
    };
    expect(await reasonOf('reasonless', {})).toEqual({
      action: 'users.delete',
      actorName: 'admin',
      changes: { userName: 'reasonless', email: '', reason: null },
    });
    expect(await reasonOf('reasoned', { reason: ' Left the practice ' })).toMatchObject({
      changes: { reason: 'Left the practice' },
    });
  });
});
