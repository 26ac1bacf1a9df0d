import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { roleIdOf } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { patiently } from '../../testing/patiently.ts';
import { useUsers } from '../../testing/users.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const test = useTestApp();
const { create, createdId, edit, find, audited } = useUsers(test);
let operator: string;

beforeAll(async () => {
  operator = await roleIdOf(test, 'Operator');
});

describe('names of users', () => {
  const TAKEN = { userName: ['This User Name is taken already.'], email: ['This Email is taken already.'] };

  it('are taken whatever their case, each with a message at its field [§5]', async () => {
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

  it("may not be another user's other name either, as both can sign in [§5]", async () => {
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

  it('may both be the same for one user, and change their case [§5]', async () => {
    const id = await createdId('both@people.test', { email: 'both@people.test' });
    expect((await edit(id, 'Both@people.test', { email: 'BOTH@people.test' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ userName: 'Both@people.test', email: 'BOTH@people.test' });
  });

  const named = (index: number, twin: string) => {
    const name = index % 2 ? `${twin}@PEOPLE.test` : `${twin}@people.test`;
    return index % 4 < 2 ? { userName: name, email: '' } : { userName: `${twin}-${index}`, email: name };
  };
  const statusesOf20 = async (ask: (index: number) => ReturnType<typeof create>) => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => patiently(() => ask(index))));
    return answers.map(({ status }) => status).toSorted();
  };

  it('go to exactly one of 20 calls at once, in any case, as either name [§5]', async () => {
    const exactlyOne = [200, ...Array(19).fill(409)];
    const source = await createdId('twin-source');
    const duplicate = (index: number) =>
      test.call(userRoutes.duplicate, { query: { id: source, ...named(index, 'twin') } });
    expect(await statusesOf20(duplicate)).toEqual(exactlyOne);
    expect(await statusesOf20((index) => create('', named(index, 'clone')))).toEqual(exactlyOne);
  });
});

describe('POST /users/duplicate', () => {
  const duplicate = (id: string, names: Record<string, string>) =>
    test.call(userRoutes.duplicate, { query: { id, ...names } });

  it('needs a name, and one that no user has [§5]', async () => {
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

  it('copies all fields except names and password; nobody can sign in as the copy until it has one [§2.11]', async () => {
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
