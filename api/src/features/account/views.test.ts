import { userRoutes } from '@apotheca/contract/users';
import { viewRoutes } from '@apotheca/contract/views';
import { expect, it } from 'vitest';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const VIEW = { list: 'tenants', name: 'Mine', query: 'q=north&active=inactive' };

const signIn = async (role: 'Viewer' | 'Administrator' = 'Viewer') =>
  (await signInTo(test, await insertAccount(test, { role }))).accessToken;
const create = (token: string, fields = {}) => test.call(viewRoutes.create, { body: { ...VIEW, ...fields }, token });
const list = async (token: string) => (await test.call(viewRoutes.list, { query: { list: 'tenants' }, token })).result;
const actionsOf = async (entityId: string) =>
  (
    await test.context.platform
      .selectFrom('auditEntries')
      .select('action')
      .where('entityId', '=', entityId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

it('everybody saves, renames and deletes views of their own, which others do not see [§2.26]', async () => {
  const [one, other] = [await signIn(), await signIn()];
  const { id } = (await create(one)).result;
  expect(await list(one)).toEqual([{ id, ...VIEW, roleId: null, isOwn: true }]);
  expect(await list(other)).toEqual([]);
  expect(await create(one)).toMatchObject({ status: 409, errors: { name: [expect.stringContaining('already')] } });
  const body = { id, name: 'Ours', query: VIEW.query };
  expect(await test.call(viewRoutes.edit, { body, token: other })).toMatchObject({ status: 404 });
  expect(await test.call(viewRoutes.edit, { body, token: one })).toMatchObject({ status: 200 });
  expect(await list(one)).toMatchObject([{ name: 'Ours' }]);
  expect(await test.call(viewRoutes.delete, { query: { id }, token: other })).toMatchObject({ status: 404 });
  expect(await test.call(viewRoutes.delete, { query: { id }, token: one })).toMatchObject({ status: 200 });
  expect(await list(one)).toEqual([]);
  expect(await actionsOf(id)).toEqual(['account.create-view', 'account.edit-view', 'account.delete-view']);
});

it('a view is shared with a role by who may change roles, and goes to nobody else [§2.26]', async () => {
  const [chief, viewer] = [await signIn('Administrator'), await signIn()];
  const roleId = await roleIdOf(test, 'Viewer');
  expect(await create(viewer, { roleId })).toMatchObject({ status: 403 });
  const { id } = (await create(chief, { roleId, name: 'Shared' })).result;
  expect(await list(viewer)).toMatchObject([{ id, name: 'Shared', isOwn: false }]);
  const nobody = '0b8f6d52-5c1e-4c55-9d0b-6a4f8f6b7c21';
  expect(await create(chief, { roleId: nobody, name: 'Lost' })).toMatchObject({
    status: 400,
    errors: { roleId: ['This role is unknown.'] },
  });
});

it('an edit changes what it names: the role that a view is no longer shared with stays away [§2.26]', async () => {
  const [chief, viewer] = [await signIn('Administrator'), await signIn()];
  const roleId = await roleIdOf(test, 'Viewer');
  const { id } = (await create(chief, { roleId, name: 'Ours' })).result;
  const edit = (fields: object) => test.call(viewRoutes.edit, { body: { id, ...fields }, token: chief });
  const shown = async () => (await list(chief)).find((view: { id: string }) => view.id === id);
  expect(await edit({ name: 'Renamed' })).toMatchObject({ status: 200 });
  expect(await shown()).toEqual({ id, ...VIEW, name: 'Renamed', roleId, isOwn: true });
  expect(await edit({ roleId: null })).toMatchObject({ status: 200 });
  expect(await edit({ query: 'q=south' })).toMatchObject({ status: 200 });
  expect(await shown()).toEqual({ id, ...VIEW, name: 'Renamed', query: 'q=south', roleId: null, isOwn: true });
  expect((await list(viewer)).map(({ name }: { name: string }) => name)).not.toContain('Renamed');
});

it('a shared view is changed by nobody who may not share [§2.26]', async () => {
  const owner = await insertAccount(test, { role: 'Administrator' });
  const { id } = (await create((await signInTo(test, owner)).accessToken, { roleId: await roleIdOf(test, 'Viewer') }))
    .result;
  const roleId = await roleIdOf(test, 'Viewer');
  await test.context.platform.updateTable('users').set({ roleId }).where('id', '=', owner.id).execute();
  const { accessToken: token } = await signInTo(test, owner);
  expect(await test.call(viewRoutes.edit, { body: { id, name: 'Mine' }, token })).toMatchObject({ status: 403 });
  expect(await test.call(viewRoutes.edit, { body: { id, roleId: null }, token })).toMatchObject({ status: 200 });
});

it('a view that was shared goes with its owner when that user is deleted, as nobody else can remove it [§2.26]', async () => {
  const owner = await insertAccount(test, { role: 'Administrator' });
  const { accessToken } = await signInTo(test, owner);
  const viewer = await signIn();
  const fields = { roleId: await roleIdOf(test, 'Viewer'), name: 'Left behind' };
  await create(accessToken, fields);
  const namesOf = async () => (await list(viewer)).map(({ name }: { name: string }) => name);
  expect(await namesOf()).toContain('Left behind');
  expect(await test.call(userRoutes.delete, { query: { id: owner.id } })).toMatchObject({ status: 200 });
  expect(await namesOf()).not.toContain('Left behind');
});

it('a view that was shared can be removed, by who may change roles; of a deactivated owner it is not shown [§2.26]', async () => {
  const owner = await insertAccount(test, { role: 'Administrator' });
  const { accessToken } = await signInTo(test, owner);
  const [other, viewer] = [await signIn('Administrator'), await signIn()];
  const fields = { roleId: await roleIdOf(test, 'Viewer'), name: 'Wrong' };
  const { id } = (await create(accessToken, fields)).result;
  const own = (await create(accessToken, { name: 'Unshared' })).result;
  const remove = async (token: string, query: { id: string }) =>
    (await test.call(viewRoutes.delete, { query, token })).status;
  const namesOf = async () => (await list(viewer)).map(({ name }: { name: string }) => name);
  expect(await namesOf()).toContain('Wrong');
  await test.context.platform.updateTable('users').set({ isActive: false }).where('id', '=', owner.id).execute();
  expect(await namesOf()).not.toContain('Wrong');
  await test.context.platform.updateTable('users').set({ isActive: true }).where('id', '=', owner.id).execute();
  expect(await remove(viewer, { id })).toBe(403);
  expect(await remove(other, own)).toBe(404);
  expect(await remove(other, { id })).toBe(200);
  expect(await namesOf()).not.toContain('Wrong');
  expect(await actionsOf(id)).toEqual(['account.create-view', 'account.delete-view']);
});

it('a view needs a name, something to show and a list that has views; there are 50 of a list [§2.26]', async () => {
  const token = await signIn();
  expect(await create(token, { name: ' ', query: '', list: 'audit' })).toMatchObject({
    status: 400,
    errors: { name: ['Name is required'], query: expect.any(Array), list: ['This list has no views'] },
  });
  for (let made = 0; made < 49; made += 1) await create(token, { name: `View ${made}` });
  const atOnce = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => create(token, { name })));
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await create(token, { name: 'One more' })).toMatchObject({
    status: 409,
    message: 'You have 50 views of this list already: please delete one of them first.',
  });
});
