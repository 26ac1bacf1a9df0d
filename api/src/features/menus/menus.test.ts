import { randomUUID } from 'node:crypto';
import { type Menu, menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { auditOf, createPermission, menuInput, permissionInput, roleId } from '../../testing/permissions.ts';

const test = useTestApp();

const tree = async (): Promise<Menu[]> => (await test.call(menuRoutes.tree)).result;
const treeOf = async (role: string): Promise<Menu[]> =>
  (await test.call(menuRoutes.treeOfRole, { query: { roleId: await roleId(test, role) } })).result;
const create = (name: string, parentPermissionId: string | null = null, fields: Record<string, unknown> = {}) =>
  createPermission(test, menuInput(name, { parentPermissionId, ...fields }));
const edit = (body: object) => test.call(permissionRoutes.edit, { body });
const findRow = (id: string) =>
  test.context.platform.selectFrom('permissions').selectAll().where('id', '=', id).executeTakeFirst();
const give = async (role: string, ...ids: string[]) => {
  const rows = await Promise.all(ids.map(async (permissionId) => ({ roleId: await roleId(test, role), permissionId })));
  await test.context.platform.insertInto('rolePermissions').values(rows).execute();
};

/** A tree as names: 'A', ['A', [...]]. */
type Names = (string | [string, Names])[];
const namesOf = (menus: Menu[]): Names =>
  menus.map(({ name, childMenus }) => (childMenus.length === 0 ? name : [name, namesOf(childMenus)]));
const find = (menus: Menu[], id: string): Menu | undefined =>
  menus.find((menu) => menu.id === id) ?? menus.map((menu) => find(menu.childMenus, id)).find(Boolean);

describe('POST /adminpermission/create with isMenu', () => {
  it('names every field that is wrong [§2.15]', async () => {
    const answer = await test.call(permissionRoutes.create, { body: { isMenu: true } });
    expect(answer).toMatchObject({
      status: 400,
      errors: {
        id: ['Menu id is required.'],
        name: ['Menu Name is required'],
        route: ['Menu Route is required'],
        icon: ['Menu Icon is required'],
        sortOrder: ['Sort Order is required'],
      },
    });
  });

  it.each(['//elsewhere.test', '/\t/elsewhere.test', 'https://elsewhere.test', 'javascript:alert(1)'])(
    'refuses the route %s [§7.3]',
    async (route) => {
      const body = menuInput('Elsewhere', { route });
      expect(await test.call(permissionRoutes.create, { body })).toMatchObject({
        status: 400,
        errors: { route: [expect.any(String)] },
      });
    },
  );

  it('refuses a parent that is not a menu [§6]', async () => {
    const permission = await createPermission(test, permissionInput('No menu'));
    for (const parentPermissionId of [permission, randomUUID()]) {
      const body = menuInput('Lost', { parentPermissionId });
      expect(await test.call(permissionRoutes.create, { body })).toMatchObject({
        status: 400,
        errors: { parentPermissionId: ['This parent menu is unknown.'] },
      });
    }
  });

  it('writes it, gives it to the Administrator, and audits it [§2.15]', async () => {
    const parentPermissionId = await create('Reports', '');
    const body = menuInput('Daily Count', { parentPermissionId, icon: 'chart', sortOrder: 3, isActive: true });
    expect(await test.call(permissionRoutes.create, { body })).toMatchObject({
      status: 200,
      message: 'Success! Menu has been Created.',
      result: { id: body.id },
    });
    expect(await findRow(parentPermissionId)).toMatchObject({ route: '#', parentPermissionId: null });
    expect(await findRow(body.id)).toMatchObject({
      name: 'Daily Count',
      module: 'Menu',
      identifier: 'dailyCount',
      route: '/daily count',
      icon: 'chart',
      sortOrder: 3,
      isMenu: true,
      isBuiltIn: false,
      parentPermissionId,
    });
    expect(find(await treeOf('Administrator'), body.id)).toMatchObject({ name: 'Daily Count', childMenus: [] });
    expect(await auditOf(test, body.id)).toMatchObject([
      { action: 'menus.create', entity: 'permissions', changes: { route: '/daily count', parentPermissionId } },
    ]);
  });
});

describe('menus of one name', () => {
  it('can be made under different parents, each with an identifier of its own [§2.15]', async () => {
    const [sales, stock] = [await create('Sales', ''), await create('Stock Room', '')];
    const ofSales = await create('Overview', sales, { identifier: 'overview' });
    const ofStock = await create('Overview', stock, { identifier: 'overview' });
    const atTop = await create('OVERVIEW', '');
    const identifiers = await Promise.all([ofSales, ofStock, atTop].map(async (id) => (await findRow(id))?.identifier));
    expect(identifiers).toEqual(['overview', 'overview2', 'overview3']);
    expect((await auditOf(test, ofStock))[0]?.changes).toMatchObject({ identifier: 'overview2' });
  });

  it('are refused with the same parent, and with an identifier that somebody chose [§2.15]', async () => {
    const parentPermissionId = await create('Twins', '');
    await create('Twin', parentPermissionId);
    const chosen = { parentPermissionId, identifier: 'TWIN' };
    expect(await test.call(permissionRoutes.create, { body: menuInput('Another', chosen) })).toMatchObject({
      status: 409,
      errors: { identifier: ['A permission with this identifier exists already.'] },
    });
    // A renamed menu keeps its identifier.
    const renamed = await create('Before', parentPermissionId);
    await edit(menuInput('After', { id: renamed, parentPermissionId }));
    for (const body of [
      menuInput('AFTER', { parentPermissionId }),
      menuInput('twin', { parentPermissionId }),
      menuInput('Twin', { parentPermissionId, identifier: 'menu.chosen' }),
    ]) {
      expect(await test.call(permissionRoutes.create, { body })).toMatchObject({
        status: 409,
        errors: { name: ['There is a menu with this name already.'] },
      });
    }
    expect(await findRow(await create('Before', parentPermissionId))).toMatchObject({ identifier: 'before2' });
  });

  it('are not made by renaming or moving one; those that stand together can be edited otherwise [§2.15]', async () => {
    const [parent, other] = [await create('Pairs', ''), await create('Other Pairs', '')];
    await create('Pair', parent);
    const [renamed, moved] = [await create('Single', parent), await create('Pair', other)];
    const taken = { status: 409, errors: { name: ['There is a menu with this name already.'] } };
    expect(await edit(menuInput('PAIR', { id: renamed, parentPermissionId: parent }))).toMatchObject(taken);
    expect(await edit(menuInput('Pair', { id: moved, parentPermissionId: parent }))).toMatchObject(taken);
    expect(await findRow(moved)).toMatchObject({ parentPermissionId: other, version: 1 });
    await test.context.platform
      .updateTable('permissions')
      .set({ parentPermissionId: parent })
      .where('id', '=', moved)
      .execute();
    const edited = menuInput('Pair', { id: moved, parentPermissionId: parent, icon: 'box' });
    expect((await edit(edited)).status).toBe(200);
  });

  it('have identifiers of at most 100 characters [§2.15]', async () => {
    const name = 'x'.repeat(100);
    const ids = [await create(name, await create('Long A', '')), await create(name, await create('Long B', ''))];
    const identifiers = await Promise.all(ids.map(async (id) => (await findRow(id))?.identifier));
    expect(identifiers).toEqual([name, `${'x'.repeat(99)}2`]);
  });
});

describe('PUT /adminpermission/edit of a menu', () => {
  it('keeps its parent unless it names another one [§2.15]', async () => {
    const parent = await create('Keeper');
    const id = await create('Kept', parent, { identifier: 'menu.kept' });
    await edit({ ...menuInput('Kept on', { id }), parentPermissionId: undefined });
    expect(await findRow(id)).toMatchObject({ name: 'Kept on', identifier: 'menu.kept', parentPermissionId: parent });
    await edit(menuInput('Freed', { id, parentPermissionId: null }));
    expect(await findRow(id)).toMatchObject({ parentPermissionId: null });
    expect((await auditOf(test, id)).at(-1)).toMatchObject({
      action: 'menus.edit',
      changes: { name: ['Kept on', 'Freed'], parentPermissionId: [parent, null], version: [2, 3] },
    });
  });

  it('stays a menu [§7.3]', async () => {
    const id = await create('Still a menu');
    expect(await edit(permissionInput('No menu', { id }))).toMatchObject({
      status: 400,
      errors: { isMenu: ['This is a menu.'] },
    });
  });

  it('is never inside itself, nor inside what is inside it [§2.15]', async () => {
    const a = await create('Loop A');
    const b = await create('Loop B', a);
    const c = await create('Loop C', b);
    for (const parentPermissionId of [a, b, c, c.toUpperCase()]) {
      expect(await edit(menuInput('Loop A', { id: a, parentPermissionId }))).toMatchObject({
        status: 400,
        errors: { parentPermissionId: ['A menu cannot be inside itself or a menu inside it.'] },
      });
    }
    expect(await findRow(a)).toMatchObject({ parentPermissionId: null, version: 1 });
  });

  it('makes no cycle when two menus are moved into each other at once [§2.15]', async () => {
    const a = await create('Race A');
    const b = await create('Race B');
    const top = (id: string, name: string) => edit(menuInput(name, { id, parentPermissionId: null }));
    for (let round = 0; round < 30; round += 1) {
      const answers = await Promise.all([
        edit(menuInput('Race A', { id: a, parentPermissionId: b })),
        edit(menuInput('Race B', { id: b, parentPermissionId: a })),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      await top(a, 'Race A');
      await top(b, 'Race B');
    }
  });
});

describe('moving and deleting menus', () => {
  it('moves a menu among its siblings [DECISIONS §8]', async () => {
    const parent = await create('Shelf');
    const one = await create('One', parent, { sortOrder: 1 });
    test.clock.advance(1);
    await create('Two', parent, { sortOrder: 1 });
    await create('Elsewhere', null, { sortOrder: 1 });
    const query = { id: one, moveUp: 'false' };
    expect(await test.call(permissionRoutes.move, { query })).toMatchObject({ message: 'Menu has been moved down.' });
    const children = find(await tree(), parent)?.childMenus ?? [];
    expect(children.map(({ name, sortOrder }) => [name, sortOrder])).toEqual([
      ['Two', 1],
      ['One', 2],
    ]);
    expect((await auditOf(test, one)).at(-1)).toMatchObject({ action: 'menus.move-down' });
    expect(await test.call(permissionRoutes.move, { query })).toMatchObject({
      message: 'Menu is the last one already.',
    });
  });

  it('refuses to delete a menu with menus inside, and says how many [§2.15]', async () => {
    const parent = await create('Full');
    const children = [await create('Full 1', parent), await create('Full 2', parent)];
    const remove = (id: string) => test.call(permissionRoutes.delete, { query: { id } });
    expect(await remove(parent)).toMatchObject({
      status: 409,
      title: 'In use',
      message: "There are 2 menus inside 'Full'. Move or delete what is inside first.",
    });
    await remove(children[0] ?? '');
    expect(await remove(parent)).toMatchObject({ message: expect.stringContaining('There is 1 menu inside') });
    await remove(children[1] ?? '');
    expect(await remove(parent)).toMatchObject({ status: 200, message: 'Success! Menu has been deleted.' });
    expect(find(await tree(), parent)).toBeUndefined();
    expect((await auditOf(test, parent)).at(-1)).toMatchObject({
      action: 'menus.delete',
      changes: { name: 'Full', route: '#', icon: 'circle', parentPermissionId: null, roles: ['Administrator'] },
    });
  });
});

describe('GET /rolepermissions/getmenubyroleid', () => {
  it('needs a token, its permission and a role that exists [§7.3]', async () => {
    const query = { roleId: randomUUID() };
    expect(await test.call(menuRoutes.treeOfRole, { query, token: null })).toMatchObject({ status: 401 });
    expect(await test.call(menuRoutes.treeOfRole, { query: { roleId: 'x' } })).toMatchObject({ status: 400 });
    expect(await test.call(menuRoutes.treeOfRole, { query })).toMatchObject({
      status: 404,
      message: 'There is no such role.',
    });
    expect(await treeOf('Viewer')).toEqual([]);
  });

  it('shows a role its active menus, and none inside a menu that it does not see [DECISIONS §10]', async () => {
    const top = await create('Role top');
    const seen = await create('Seen', top);
    const inside = await create('Inside', seen);
    const off = await create('Off', top, { isActive: false, sortOrder: 1 });
    const insideOff = await create('Inside off', off);
    const notGiven = await create('Not given', top, { sortOrder: 2 });
    const insideNotGiven = await create('Inside not given', notGiven);
    await give('Operator', top, seen, inside, off, insideOff, insideNotGiven);
    expect(namesOf(await treeOf('Operator'))).toEqual([['Role top', [['Seen', ['Inside']]]]]);
    expect(namesOf([find(await tree(), top) ?? expect.fail()])).toEqual([
      [
        'Role top',
        [
          ['Seen', ['Inside']],
          ['Off', ['Inside off']],
          ['Not given', ['Inside not given']],
        ],
      ],
    ]);
  });
});

describe('500 menus in 6 levels', () => {
  const LEVELS = 6;
  const COUNT = 500;

  beforeAll(async () => {
    const { platform } = test.context;
    const level = (index: number) => index % LEVELS;
    const ids = Array.from({ length: COUNT }, () => randomUUID());
    const rows = ids.map((id, index) => ({
      id,
      name: `Menu ${index}`,
      module: 'Menu',
      identifier: `big.${index}`,
      route: `/menu-${index}`,
      icon: 'circle',
      isMenu: true,
      sortOrder: COUNT - index,
      parentPermissionId: level(index) === 0 ? null : (ids[index - 1] ?? null),
    }));
    for (let wave = 0; wave < LEVELS; wave += 1) {
      await platform
        .insertInto('permissions')
        .values(rows.filter((_, index) => level(index) === wave))
        .execute();
    }
    await give('Viewer', ...ids);
  });

  const depth = (menus: Menu[]): number =>
    menus.length === 0 ? 0 : 1 + Math.max(...menus.map((menu) => depth(menu.childMenus)));
  const count = (menus: Menu[]): number => menus.reduce((sum, menu) => sum + 1 + count(menu.childMenus), 0);

  it('are one query, for all and for a role [§2.15]', async () => {
    const submit = vi.spyOn(pg.Query.prototype, 'submit');
    // The queue of operations sends queries now and then too.
    const isMenuQuery = (query: unknown) =>
      query instanceof pg.Query && String(Reflect.get(query, 'text')).includes('p.is_menu');
    const queries = () => submit.mock.contexts.filter(isMenuQuery).length;
    const all = await tree();
    expect(queries()).toBe(1);
    const ofRole = await treeOf('Viewer');
    expect(queries()).toBe(2);
    submit.mockRestore();
    expect(count(all)).toBeGreaterThanOrEqual(COUNT);
    expect([count(ofRole), depth(ofRole)]).toEqual([COUNT, LEVELS]);
  });

  it('are answered in their order, all of them [§2.15]', async () => {
    const menus = await treeOf('Viewer');
    expect(menus.map(({ sortOrder }) => sortOrder)).toEqual(
      menus.map(({ sortOrder }) => sortOrder).toSorted((a, b) => a - b),
    );
    expect(count(menus)).toBe(COUNT);
  });
});
