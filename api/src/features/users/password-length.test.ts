import { COMMON_PASSWORD } from '@apotheca/contract/auth';
import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, roleIdOf } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { userInput } from '../../testing/builders.ts';
import { hashPassword } from '../auth/passwords.ts';

const test = useTestApp({ passwordMin: 14 });
let viewer: string;
let id: string;

beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  const body = userInput('edited', viewer, { password: 'x'.repeat(14), confirmPassword: 'x'.repeat(14) });
  id = (await test.call(userRoutes.create, { body })).result.id;
});

const input = (userName: string, password: string) =>
  userInput(userName, viewer, { password, confirmPassword: password });

const SETTERS = {
  create: (password: string) => test.call(userRoutes.create, { body: input(`new-${password.length}`, password) }),
  edit: (password: string) => test.call(userRoutes.edit, { body: { ...input('edited', password), id } }),
};

describe.each(Object.entries(SETTERS))('APOTHECA_PASSWORD_MIN=14 in %s', (_, set) => {
  it.each([
    ['é'.repeat(13), 'Must be 14 characters or more'],
    ['😀'.repeat(4), 'Must be 5 characters or more'],
    ['x'.repeat(31), 'Must be 30 characters or less'],
    ['Password1', 'Must be 14 characters or more'],
    ['987654321987654321', undefined],
  ])('%j: %s [DECISIONS §13]', async (password, refusal) => {
    const { status, errors } = await set(password);
    const expected = refusal ? { status: 400, errors: { password: [refusal] } } : { status: 200, errors: undefined };
    expect({ status, errors }).toEqual(expected);
  });

  it('refuses a common password that is long enough [§5] [DECISIONS §13]', async () => {
    expect(await set('123456789987654321')).toMatchObject({ status: 400, errors: { password: [COMMON_PASSWORD] } });
  });
});

describe('a password from before', () => {
  it('that is shorter than new ones must be goes on working, also through an edit that leaves it [DECISIONS §13]', async () => {
    const account = await insertAccount(test, { passwordHash: await hashPassword('five5') });
    expect((await test.signIn(account.userName, 'five5')).status).toBe(200);
    const { password: _, confirmPassword: __, ...kept } = input(account.userName, '');
    expect((await test.call(userRoutes.edit, { body: { ...kept, id: account.id } })).status).toBe(200);
    expect((await test.signIn(account.userName, 'five5')).status).toBe(200);
  });
});
