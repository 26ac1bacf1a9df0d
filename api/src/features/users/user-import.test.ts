import { roleRoutes } from '@apotheca/contract/roles';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { USER_IMPORT_COLUMNS, userImportRoutes } from '@apotheca/contract/user-import';
import { userRoutes } from '@apotheca/contract/users';
import { expect, it } from 'vitest';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useApiKeys } from '../../testing/api-keys.ts';
import { useTestApp } from '../../testing/app.ts';
import { withClient } from '../../testing/databases.ts';
import { csvOf, importsBy, reasonsOf } from '../../testing/imports.ts';
import { useUsers } from '../../testing/users.ts';

const test = useTestApp();
const { plan, start, report, imported } = importsBy(test, userImportRoutes);
const { create, list, audited } = useUsers(test);
const { issued } = useApiKeys(test);

const HEADINGS = ['User Name', 'Email', 'First Name', 'Last Name', 'Access Role', 'Clinical Role'];
const users = (...rows: string[][]) => csvOf(HEADINGS, ...rows);
const person = (userName: string, role = 'Viewer', email = '') => [userName, email, 'Ada', 'Jensen', role, 'None'];
const find = async (userName: string) =>
  (await list()).find((user: { userName: string }) => user.userName === userName);

it('creates people without a password, changes those who are there, and does both once [§2.21]', async () => {
  await create('there', { phone: '1' });
  const file = csvOf(
    [...HEADINGS, 'Phone', 'Credentials'],
    [...person('new.one', 'operator', 'new.one@example.com'), '+1 555 0100', 'MD'],
    ['THERE', '', '', 'Lind', '', '', '2', ''],
  );
  const planned = await plan(file);
  expect(planned.result.rows).toMatchObject([
    { outcome: 'create' },
    {
      outcome: 'change',
      changes: [
        { heading: 'User Name', from: 'there', to: 'THERE' },
        { heading: 'Last Name', from: 'Moreau', to: 'Lind' },
        { heading: 'Phone', from: '1', to: '2' },
      ],
    },
  ]);
  expect(await start(planned.result)).toMatchObject({ status: 200, message: '1 user created and 1 changed.' });
  const made = await find('new.one');
  expect(made).toMatchObject({
    hasPassword: false,
    isActive: true,
    role: { roleName: 'Operator' },
    clinicalRoleId: null,
    deaNumber: 'NA',
    phone: '+1 555 0100',
  });
  expect(await find('THERE')).toMatchObject({ hasPassword: true, lName: 'Lind', title: 'PharmD', version: 2 });
  expect(await audited(made.id)).toMatchObject([{ action: 'users.create', actorName: ADMINISTRATOR.userName }]);
  expect((await imported(file)).results).toEqual({ 'new.one': 'same', THERE: 'same' });
});

it('finds people who have no user name by their e-mail addresses [§2.21]', async () => {
  const file = users(person('', 'Viewer', 'by.mail@example.com'));
  expect((await imported(file)).results).toEqual({ 'by.mail@example.com': 'created' });
  expect((await imported(file)).results).toEqual({ 'by.mail@example.com': 'same' });
});

it('finds them by their names as the form has them: with single spaces [§2.21]', async () => {
  await create('spaced name');
  const twice = `spaced\u00a0 name`;
  const planned = await plan(users(person(twice), person('two  blanks'), person('two blanks')));
  expect(planned.result.rows).toMatchObject([{ outcome: 'change' }, { outcome: 'create' }, { outcome: 'refused' }]);
  expect((await imported(users(person(twice)))).results).toEqual({ 'spaced name': 'changed' });
});

it('finds people and roles however their letters are typed, as the database does [§2.21]', async () => {
  await create('ren\u00e9');
  await insertRole('Infirmi\u00e8re', []);
  await insertRole('K\u0131z', []);
  const file = users(
    person('RENE\u0301', 'infirmie\u0300re'),
    person('\uff52\uff45\uff4e\u00e9'),
    person('dotted', 'Kiz'),
  );
  const planned = await plan(file);
  expect(planned.result.rows).toMatchObject([
    { outcome: 'change' },
    { outcome: 'refused' },
    { outcome: 'refused', reasons: [{ message: "There is no Access Role 'Kiz'" }] },
  ]);
  expect(await start(planned.result)).toMatchObject({ status: 200, result: { counts: { changed: 1, refused: 2 } } });
});

it('takes its template as it is [§2.21]', async () => {
  const headings = USER_IMPORT_COLUMNS.map(({ heading }) => heading);
  const examples = USER_IMPORT_COLUMNS.map(({ example }) => example);
  expect(reasonsOf(await plan(csvOf(headings, examples)))).toEqual({});
});

it('refuses what the form refuses, and names that somebody else has [§2.21]', async () => {
  await create('taken', { email: 'taken@example.com' });
  const reasons = reasonsOf(
    await plan(
      users(
        person('one', 'Emperor'),
        // What is named of it ends within an emoji.
        person('half', `${'a'.repeat(99)}😀b`),
        person('two', 'Viewer', 'no address'),
        person('three', 'Viewer', 'TAKEN'),
        person('four', 'Viewer', 'taken@example.com'),
        person('five', 'Viewer', 'five@example.com'),
        person('six', 'Viewer', 'five@example.com'),
        ['seven', '', '', '', '', ''],
      ),
    ),
  );
  expect(reasons).toEqual({
    one: ["Access Role: There is no Access Role 'Emperor'"],
    half: [`Access Role: There is no Access Role '${'a'.repeat(99)}\ufffd'`],
    two: ['Email: Please enter a valid Email'],
    three: ['Email: Please enter a valid Email'],
    four: ['Email: This Email is taken already.'],
    six: ['Email: This Email is taken already.'],
    seven: [
      'First Name: First Name is required',
      'Last Name: Last Name is required',
      'Clinical Role: Clinical Role is Required',
      'Access Role: User Role is Required',
      'Credentials: Credentials are required',
    ],
  });
});

it('refuses a service account for what it is, whatever its row has and lacks [§2.21]', async () => {
  const body = { userName: 'nightly', roleId: await roleIdOf(test, 'Viewer') };
  await test.call(serviceAccountRoutes.create, { body });
  const refused = { nightly: [': A service account has neither a password nor a person, and is not imported.'] };
  for (const row of [['nightly', '', '', '', '', ''], person('nightly'), person('nightly', 'Emperor')])
    expect(reasonsOf(await plan(users(row)))).toEqual(refused);
});

it('gives nobody more rights than whoever imports has, and protects them as the form does [§2.21]', async () => {
  const tokenOf = async (role: string) => (await signInTo(test, await insertAccount(test, { role }))).accessToken;
  await insertAccount(test, { userName: 'chief', role: 'Administrator' });
  const refusal = expect.stringMatching(/^: This user role has the permission '.+', which you do not have\.$/);
  expect(await plan(users(person('x')), { token: await tokenOf('Viewer') })).toMatchObject({ status: 403 });
  const key = { token: (await issued(undefined, { scopes: ['users.read', 'users.write'] })).key };
  const file = users(person('puppet', 'Administrator'), person('chief', 'Viewer'));
  for (const by of [key, { token: await tokenOf('Operator') }])
    expect(reasonsOf(await plan(file, by))).toEqual({ puppet: [refusal], chief: [refusal] });
  const own = users(person(ADMINISTRATOR.userName, 'Viewer'));
  expect(reasonsOf(await plan(own))).toEqual({ [ADMINISTRATOR.userName]: [': You cannot change your own user role.'] });
});

it('goes by the permissions of the key also where the rows are written [§2.21]', async () => {
  const scopes = ['users.read', 'users.write'];
  const key = { token: (await issued(undefined, { scopes })).key };
  const file = users(person('by.key', 'Scribes'));
  const roleId = await insertRole('Scribes', scopes);
  const { result: planned } = await plan(file, key);
  expect(planned.counts).toMatchObject({ create: 1 });
  await withClient(test.databaseUrl, async (client) => {
    await client.query('begin');
    // The import waits at its row, and the role gets a permission that the key does not have, though its owner does.
    await client.query('select from batch_rows where batch_id = $1 for update', [planned.id]);
    const query = { id: planned.id, plan: planned.digest };
    await test.call(userImportRoutes.start, { query, ...key, headers: { prefer: 'respond-async' } });
    await givePermission(roleId, 'audit.read');
    await client.query('rollback');
  });
  const state = async () => (await report(planned.id)).result.state;
  await expect.poll(state).toBe('succeeded');
  expect((await report(planned.id)).result.rows).toMatchObject([{ result: 'refused', reasons: [{ heading: '' }] }]);
  expect(await find('by.key')).toBeUndefined();
});

async function insertRole(name: string, permissions: string[]): Promise<string> {
  const role = test.context.platform.insertInto('roles').values({ name }).returning('id');
  const { id } = await role.executeTakeFirstOrThrow();
  for (const permission of permissions) await givePermission(id, permission);
  return id;
}

async function givePermission(roleId: string, identifier: string): Promise<void> {
  const { platform } = test.context;
  const permission = platform.selectFrom('permissions').select('id').where('identifier', '=', identifier);
  const { id: permissionId } = await permission.executeTakeFirstOrThrow();
  await platform.insertInto('rolePermissions').values({ roleId, permissionId }).execute();
}

it('leaves the rows of a file alone that another start has begun to write meanwhile [§2.21]', async () => {
  await imported(users(person('earlier')));
  await test.call(roleRoutes.create, { body: { roleName: 'Passing' } });
  const { id, digest } = (await plan(users(person('overtaken', 'Passing')))).result;
  const { platform } = test.context;
  const reached = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const comparing = new WeakSet<object>();
  // It has found that the file is not begun, and waits for what its rows are compared with. Held here: PostgreSQL gives up who waits long for a lock.
  test.context.platform = platform.withPlugin({
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('"clinical_roles"')) comparing.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (comparing.has(queryId)) {
        reached.resolve();
        await begun.promise;
      }
      return result;
    },
  });
  const late = start({ id, digest });
  await reached.promise;
  test.context.platform = platform;
  await withClient(test.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('update batches set operation_id = (select id from operations limit 1) where id = $1', [id]);
    await client.query("update batch_rows set state = 'done' where batch_id = $1", [id]);
    await client.query("update roles set name = 'Past' where name = 'Passing'");
    await client.query('commit');
    begun.resolve();
    expect(await late).toMatchObject({ status: 409, message: 'This file is imported already.' });
    const { rows } = await client.query('select state from batch_rows where batch_id = $1', [id]);
    expect(rows).toEqual([{ state: 'done' }]);
  });
});

it('never says a password, nor takes one [§2.21]', async () => {
  const file = csvOf([...HEADINGS, 'Password'], [...person('secret'), 'correct horse']);
  expect(await plan(file)).toMatchObject({ status: 400 });
  expect(userImportRoutes.start.permission).toBe(userRoutes.create.permission);
});

it('wants a fresh proof of who imports [§2.21]', async () => {
  const { result: planned } = await plan(users(person('late')));
  test.clock.advance(16 * 60);
  const { accessToken } = await signInTo(test, { userName: ADMINISTRATOR.userName });
  await test.context.platform
    .updateTable('sessions')
    .set({ provedAt: new Date(0) })
    .execute();
  expect(await start(planned, { token: accessToken })).toMatchObject({ status: 403, title: 'Proof needed' });
});
