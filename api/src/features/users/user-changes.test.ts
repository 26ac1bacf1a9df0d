import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { useUsers } from '../../testing/users.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const test = useTestApp();
const { create, createdId, edit, list, find, rowOf, audited, isSignedIn } = useUsers(test);
let operator: string;

beforeAll(async () => {
  operator = await roleIdOf(test, 'Operator');
});

describe('PUT /users/edit', () => {
  it('is a 404 for an unknown or deleted user [§7.2]', async () => {
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

  it('keeps NPI and password if it does not name them, and then open sessions too [§5]', async () => {
    const id = await createdId('keeper', { deaNumber: 'AB1234563' });
    const { accessToken } = await signInTo(test, { userName: 'keeper' });
    expect((await edit(id, 'keeper', { password: '', confirmPassword: '', notes: 'New' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ deaNumber: 'AB1234563', notes: 'New' });
    expect(await isSignedIn(accessToken)).toBe(true);
    expect((await test.signIn('keeper', 'correct horse')).status).toBe(200);
    expect((await edit(id, 'keeper', { deaNumber: 'XY1' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ deaNumber: 'XY1' });
  });

  it('keeps the texts that it does not name, and empties those that it names as null or empty [§7.2]', async () => {
    const texts = { email: 'texts@people.test', mi: 'Q', title: 'PharmD', phone: '(425) 555-0134', notes: 'On call' };
    const id = await createdId('texts', texts);
    const named = { fName: 'Inès', lName: 'Moreau', clinicalRoleId: 'pharmacist', roleId: operator };
    const editNamed = (fields: Record<string, unknown>) =>
      test.call(userRoutes.edit, { body: { ...named, id, ...fields } });
    expect((await editNamed({})).status).toBe(200);
    expect(await find(id)).toMatchObject({ ...texts, userName: 'texts', fName: 'Inès' });
    expect((await editNamed({ email: '', phone: null, notes: '' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ ...texts, email: '', phone: '', notes: '' });
  });

  it('leaves a name and the credentials of a clinical role, named or kept [§5]', async () => {
    const id = await createdId('rules', { userName: '', email: 'rules@people.test' });
    const named = { fName: 'Ines', lName: 'Moreau', clinicalRoleId: 'pharmacist', roleId: operator, id };
    const nameless = await test.call(userRoutes.edit, { body: { ...named, email: '' } });
    expect(nameless).toMatchObject({
      status: 400,
      errors: { userName: ['User Name or Email is Required'], email: ['Email or User Name is required'] },
    });
    expect((await test.call(userRoutes.edit, { body: { ...named, clinicalRoleId: null, title: '' } })).status).toBe(
      200,
    );
    expect(await test.call(userRoutes.edit, { body: named })).toMatchObject({
      status: 400,
      errors: { title: ['Credentials are required'] },
    });
    expect(await find(id)).toMatchObject({ email: 'rules@people.test', clinicalRoleId: null, version: 2 });
  });

  it('sets a new password, ends every session and audits no secret [§7.2]', async () => {
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
  it('switch a user on and off, end the sessions, and are audited [§4]', async () => {
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

  it('leave a user who is so already as they are, in the same version [§4]', async () => {
    const id = await createdId('twice');
    expect((await test.call(userRoutes.activate, { query: { id } })).status).toBe(200);
    expect(await find(id)).toMatchObject({ isActive: true, version: 1 });
    expect(await audited(id)).toHaveLength(1);
    expect((await test.call(userRoutes.deactivate, { query: { id: NOBODY } })).status).toBe(404);
  });
});

describe('PUT /users/softdelete', () => {
  const remove = (id: string, query: Record<string, string> = {}) =>
    test.call(userRoutes.delete, { query: { id, ...query } });

  it('needs the permission to delete users [§6]', async () => {
    const id = await createdId('undeleted');
    const { accessToken: token } = await signInTo(test, await insertAccount(test, { role: 'Operator' }));
    expect(await test.call(userRoutes.delete, { query: { id }, token })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'users.delete'.",
    });
    expect(await find(id)).toBeDefined();
  });

  it('removes the user from the list, ends the sessions, frees the names and keeps the row [§4]', async () => {
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

  it('notes the reason, or that there is none [§2.11]', async () => {
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
