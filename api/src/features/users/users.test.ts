import { NO_CLINICAL_ROLE, USER_LIMITS } from '@apotheca/contract/user-form';
import { USER_SORT_COLUMNS, user, userOptions, userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';
import { userInput } from '../../testing/builders.ts';
import { useUsers } from '../../testing/users.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const test = useTestApp();
const { create, createdId, list, find, rowOf, audited } = useUsers(test);
let viewer: string;
let operator: string;

beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  operator = await roleIdOf(test, 'Operator');
});

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

  it('sorts by user name ascending by default, and by every sort key in both directions, ignoring case [§2.11]', async () => {
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

  it('orders equal rows by user name, in both directions [§2.11]', async () => {
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
  it('needs a token, and the permission to write users [§6]', async () => {
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

  it.each([{ clinicalRoleId: null }, { clinicalRoleId: NO_CLINICAL_ROLE }])(
    "stores the choice 'None' of %o, which needs no credentials [§5]",
    async (none) => {
      const userName = `none-${none.clinicalRoleId}`;
      const id = await createdId(userName, { ...none, title: '' });
      expect(await find(id)).toMatchObject({ clinicalRoleId: null, title: '' });
    },
  );

  it('requires credentials of users with a clinical role, or without a choice of one [§5]', async () => {
    const errors = { title: ['Credentials are required'] };
    expect(await create('uncredited', { title: ' ' })).toMatchObject({ status: 400, errors });
    expect(await create('uncredited', { title: '', clinicalRoleId: '' })).toMatchObject({
      status: 400,
      errors: { ...errors, clinicalRoleId: ['Clinical Role is Required'] },
    });
  });

  const texts = Object.entries(USER_LIMITS).filter(([field]) => field !== 'email' && field !== 'deaNumber');
  it.each(texts)('accepts %s of %i characters and refuses one more [§5]', async (field, max) => {
    const at = await create(`limit-${field}`, { [field]: 'X'.repeat(max) });
    expect(at.status, JSON.stringify(at)).toBe(200);
    const over = await create(`over-${field}`, { [field]: 'X'.repeat(max + 1) });
    expect(over).toMatchObject({
      status: 400,
      errors: { [field]: [expect.stringMatching(`not be more than ${max} character`)] },
    });
  });

  it('accepts an e-mail address of 100 characters, and refuses longer and invalid ones [§5]', async () => {
    const address = (length: number) => `${'e'.repeat(length - '@people.test'.length)}@people.test`;
    const refused = (email: string) => create('', { email });
    expect(await refused(address(101))).toMatchObject({ status: 400, errors: { email: expect.any(Array) } });
    expect(await refused('nobody')).toMatchObject({ status: 400, errors: { email: ['Please enter a valid Email'] } });
    // RFC 5321 allows 64 characters before the @; the form's pattern does not count them.
    expect((await refused(address(100))).status).toBe(200);
  });

  it('refuses different passwords, and one without confirmation [§5]', async () => {
    expect(await create('differs', { confirmPassword: 'Correct horse' })).toMatchObject({
      status: 400,
      errors: { confirmPassword: ['Passwords must match'] },
    });
    expect(await create('unconfirmed', { confirmPassword: '' })).toMatchObject({
      status: 400,
      errors: { confirmPassword: ['Confirm Password is Required'] },
    });
  });

  it('refuses an unknown role or clinical role [§5]', async () => {
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
      password: 'secret-of-ours',
      confirmPassword: 'secret-of-ours',
    });
    expect(answer).toMatchObject({ status: 200, message: 'Success! User profile has been Created.' });
    expect((await test.signIn('EITHER', 'secret-of-ours')).status).toBe(200);
    expect((await test.signIn('either@people.TEST', 'secret-of-ours')).status).toBe(200);
    expect((await test.signIn('either', 'Secret-1')).status).toBe(401);
    expect(await rowOf(answer.result.id)).toMatchObject({
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    });
    const [entry] = await audited(answer.result.id);
    const changes = { userName: 'either', email: 'Either@People.test', roleId: viewer, isActive: true };
    expect(entry).toMatchObject({ action: 'users.create', actorName: 'admin', changes });
    const names = 'clinicalRoleId deaNumber email fName isActive lName mi notes phone roleId title userName';
    expect(Object.keys(entry?.changes ?? {}).toSorted()).toEqual(names.split(' '));
  });

  it('accepts an inactive user, and one with an e-mail address only [§5]', async () => {
    const idle = await createdId('idle', { isActive: false });
    expect(await find(idle)).toMatchObject({ isActive: false });
    expect((await test.signIn('idle', 'correct horse')).status).toBe(401);
    const nameless = await createdId('', { email: 'nameless@people.test' });
    expect(await find(nameless)).toMatchObject({ userName: '', email: 'nameless@people.test' });
    expect((await create('', { email: 'second-nameless@people.test' })).status).toBe(200);
  });
});
