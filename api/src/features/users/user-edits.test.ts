import { userRoutes } from '@apotheca/contract/users';
import { staleRecord } from '@apotheca/contract/version';
import { beforeAll, describe, expect, it } from 'vitest';
import { administratorIdOf, insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { editedUser, userInput } from '../../testing/builders.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const test = useTestApp();
let viewer: string;
let own: { id: string; token: string };

beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  const account = await insertAccount(test, { role: 'Administrator', userName: 'ida' });
  own = { id: account.id, token: (await signInTo(test, account)).accessToken };
});

const create = (userName: string, fields: Record<string, unknown> = {}) =>
  test.call(userRoutes.create, { body: { ...userInput(userName, viewer), ...fields }, token: own.token });
const createdId = async (userName: string): Promise<string> => (await create(userName)).result.id;
const edit = (id: string, userName: string, fields: Record<string, unknown> = {}, token = own.token) =>
  test.call(userRoutes.edit, { body: { ...editedUser(userName, viewer), id, ...fields }, token });
const findRow = (userName: string) =>
  test.context.platform.selectFrom('users').selectAll().where('userName', '=', userName).executeTakeFirst();

describe('PUT /users/edit of the first administrator', () => {
  it('changes e-mail and names without a clinical role and credentials [§5]', async () => {
    const id = await administratorIdOf(test);
    const roleId = await roleIdOf(test, 'Administrator');
    const { userName } = ADMINISTRATOR;
    const fields = { roleId, email: 'first@people.test', fName: 'Ada', clinicalRoleId: null, title: '' };
    expect((await edit(id, userName, fields)).status).toBe(200);
    expect(await findRow(userName)).toMatchObject({
      email: 'first@people.test',
      firstName: 'Ada',
      clinicalRoleId: null,
      title: '',
    });
  });
});

describe('PUT /users/edit with a version', () => {
  it('does not overwrite a newer one, and says who changed what [§7.2]', async () => {
    const id = await createdId('stale');
    const { token } = await test.signInAs('Administrator');
    expect((await edit(id, 'stale', { fName: 'Inès', version: 1 }, token)).status).toBe(200);
    const password = { password: 'battery staple', confirmPassword: 'battery staple' };
    expect((await edit(id, 'stale', { ...password, fName: 'Inez', version: 2 }, token)).status).toBe(200);
    await test.call(userRoutes.deactivate, { query: { id }, token });
    const refused = await edit(id, 'stale', { lName: 'Martin', version: 1 });
    expect(refused).toMatchObject({ status: 409, title: 'Changed meanwhile' });
    expect(staleRecord.parse(refused.result)).toEqual({
      version: 4,
      changes: [
        { field: 'fName', before: 'Ines', after: 'Inez', by: 'user-administrator', onUtc: '2026-11-20T23:20:00.000Z' },
        { field: 'password', by: 'user-administrator', onUtc: '2026-11-20T23:20:00.000Z' },
        { field: 'isActive', before: true, after: false, by: 'user-administrator', onUtc: '2026-11-20T23:20:00.000Z' },
      ],
    });
    expect(await findRow('stale')).toMatchObject({ firstName: 'Inez', lastName: 'Moreau', version: 4 });
    expect((await edit(id, 'stale', { lName: 'Martin', version: 4 })).status).toBe(200);
    expect(await findRow('stale')).toMatchObject({ firstName: 'Ines', lastName: 'Martin', isActive: false });
  });

  it('succeeds for one of two at once; without a version it overwrites [§7.2]', async () => {
    const id = await createdId('race');
    const answers = await Promise.all(['A', 'B'].map((notes) => edit(id, 'race', { notes, version: 1 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await edit(id, 'race', { notes: 'C' })).status).toBe(200);
    expect(await findRow('race')).toMatchObject({ notes: 'C', version: 3 });
  });
});

describe('fields that a call may not set', () => {
  // All fields of a user's row or answer that no form has.
  const FORGED = {
    role: { roleName: 'Administrator' },
    roles: ['Administrator'],
    spSRXID: '1',
    sp_srx_id: '1',
    passwordHash: 'forged',
    password_hash: 'forged',
    hasPassword: false,
    isService: true,
    is_service: true,
    deletedAt: '2020-01-01T00:00:00Z',
    createdAt: '2020-01-01T00:00:00Z',
    createdOnUtc: '2020-01-01T00:00:00Z',
    sessions: [],
  };

  it('do not reach the row of a new user [§6]', async () => {
    const foreign = { updatedBy: 'ignored', deletedBy: '' };
    expect((await create('new', { ...FORGED, ...foreign, createdBy: own.id, id: NOBODY, version: 7 })).status).toBe(
      200,
    );
    expect(await findRow('new')).toEqual({
      id: expect.not.stringContaining(NOBODY),
      spSrxId: expect.not.stringMatching(/^1$/),
      userName: 'new',
      email: '',
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
      firstName: 'Ines',
      lastName: 'Moreau',
      middleInitial: '',
      title: 'PharmD',
      deaNumber: 'NA',
      phone: '',
      notes: '',
      roleId: viewer,
      clinicalRoleId: 'pharmacist',
      isActive: true,
      isService: false,
      credentialsVersion: 1,
      version: 1,
      deletedAt: null,
      createdBy: own.id,
      updatedBy: null,
      deletedBy: null,
      createdAt: test.clock.now,
      updatedAt: test.clock.now,
    });
  });

  it('do not reach the row of an edited user, active or not [§4]', async () => {
    const id = await createdId('old');
    const before = await findRow('old');
    const forged = { ...FORGED, isActive: false, createdBy: '', updatedBy: own.id, deletedBy: null };
    expect((await edit(id, 'old', forged)).status).toBe(200);
    expect(await findRow('old')).toEqual({ ...before, version: 2, updatedBy: own.id });
  });

  it('are those that name another user as the one who does it [§6]', async () => {
    const id = await createdId('stamped');
    const before = await findRow('stamped');
    const change = { query: { id, updatedBy: NOBODY }, token: own.token };
    const copy = { query: { id, userName: 'stamped-2', createdBy: NOBODY }, token: own.token };
    const answers = {
      create: await create('stamped-2', { createdBy: NOBODY }),
      edit: await edit(id, 'stamped', { fName: 'Other', updatedBy: NOBODY }),
      activate: await test.call(userRoutes.activate, change),
      deactivate: await test.call(userRoutes.deactivate, change),
      duplicate: await test.call(userRoutes.duplicate, copy),
      delete: await test.call(userRoutes.delete, { query: { id, deletedBy: NOBODY }, token: own.token }),
    };
    const message = 'The user named in the call is not the one signed in.';
    for (const [call, answer] of Object.entries(answers)) expect(answer, call).toMatchObject({ status: 400, message });
    expect(await findRow('stamped')).toEqual(before);
    expect(await findRow('stamped-2')).toBeUndefined();
  });

  it.each(['"__proto__":{"isActive":false}', '"constructor":{"prototype":{"isActive":false}}'])(
    'are those of a prototype: %s [§6]',
    async (key) => {
      const payload = JSON.stringify(userInput('proto', viewer)).replace('{', `{${key},`);
      const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
      const response = await test.app.inject({ method: 'POST', url: '/api/users/create', payload, headers });
      expect(response.statusCode).toBe(400);
      expect(await findRow('proto')).toBeUndefined();
    },
  );
});
