import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { permissionRoutes, type SyncedPermission } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { auditOf, createPermission, menuInput, permissionInput, roleId } from '../../testing/permissions.ts';
import { queryTenant } from '../../testing/tenant-query.ts';

const test = useTestApp();

const sync = (tenantId?: string) => test.call(permissionRoutes.sync, { query: tenantId ? { tenantId } : {} });
const createTenant = async (code: string): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code) })).result.id;
const inTenant = (code: string, text: string) => queryTenant(test, code, text);
const catalogue = () => test.context.platform.selectFrom('permissions').selectAll().execute();
const NOTHING = { added: 0, changed: 0, removed: 0, kept: [], permissions: [] };
const outcomes = ({ permissions }: { permissions: SyncedPermission[] }) =>
  permissions.map(({ identifier, outcome }) => [identifier, outcome]);

describe('POST /adminpermission/syncpermissions with a tenant', () => {
  it('writes every active permission, and nothing the second time [§7.3]', async () => {
    const id = await createTenant('SYNCED');
    const { length } = await catalogue();
    const answer = await sync(id);
    expect(answer).toMatchObject({
      status: 200,
      message: `Permissions synced: ${length} added, 0 changed, 0 removed.`,
      result: { added: length, changed: 0, removed: 0, kept: [] },
    });
    expect(answer.result.permissions).toContainEqual({
      identifier: 'users.read',
      name: 'View users',
      outcome: 'added',
    });
    expect(answer.result.permissions).toHaveLength(length);
    const written = await inTenant('SYNCED', 'select identifier from apotheca.permissions where is_active');
    expect(written).toHaveLength(length);
    expect((await sync(id)).result).toEqual(NOTHING);
    expect(await auditOf(test, id)).toMatchObject([
      { action: 'tenants.create' },
      { action: 'permissions.sync', entity: 'tenants', changes: { added: length, changed: 0, removed: 0, kept: [] } },
      { action: 'permissions.sync' },
    ]);
  });

  it('leaves off what the tenant has switched off, and names it each time [DECISIONS §10]', async () => {
    const id = await createTenant('STUBBORN');
    await sync(id);
    await inTenant('STUBBORN', "update apotheca.permissions set is_active = false where identifier = 'faqs.write'");
    for (let round = 0; round < 2; round += 1) {
      const { message, result } = await sync(id);
      const permissions = [{ identifier: 'faqs.write', name: 'Create and edit FAQs', outcome: 'kept' }];
      expect(result).toEqual({ ...NOTHING, kept: ['faqs.write'], permissions });
      expect(message).toContain('1 stay off, as the tenant decided: faqs.write.');
    }
    const off = await inTenant('STUBBORN', 'select identifier from apotheca.permissions where not is_active');
    expect(off).toEqual([{ identifier: 'faqs.write' }]);
  });

  it('renames what was renamed, and removes what the catalogue no longer has [DECISIONS §10]', async () => {
    const id = await createTenant('CHANGING');
    await sync(id);
    await inTenant('CHANGING', "update apotheca.permissions set name = 'Old' where identifier = 'faqs.read'");
    await inTenant(
      'CHANGING',
      "insert into apotheca.permissions (id, module, name, identifier) values (gen_random_uuid(), 'Rx', 'Gone', 'rx.gone')",
    );
    const { result } = await sync(id);
    expect(result).toMatchObject({ added: 0, changed: 1, removed: 1, kept: [] });
    expect(outcomes(result)).toEqual([
      ['faqs.read', 'changed'],
      ['rx.gone', 'removed'],
    ]);
    expect(await inTenant('CHANGING', "select name from apotheca.permissions where identifier = 'faqs.read'")).toEqual([
      { name: 'View FAQs' },
    ]);
  });

  it('adds menus under the menus that the tenant already has [DECISIONS §10]', async () => {
    const id = await createTenant('MENUS');
    const parent = await createPermission(test, menuInput('Stock', { identifier: 'menu.stock', icon: 'box' }));
    await inTenant(
      'MENUS',
      `insert into apotheca.permissions (id, module, name, identifier, is_menu, route, icon)
       values (gen_random_uuid(), 'Menu', 'Old stock', 'menu.stock', true, '#', 'box')`,
    );
    const child = menuInput('Counts', { identifier: 'menu.counts', parentPermissionId: parent, sortOrder: 2 });
    await createPermission(test, child);
    const off = await createPermission(test, menuInput('Off', { identifier: 'menu.off', isActive: false }));
    await createPermission(test, menuInput('In off', { identifier: 'menu.in-off', parentPermissionId: off }));
    expect((await sync(id)).result).toMatchObject({ changed: 1, removed: 0 });
    const menus = `select m.identifier, m.route, m.icon, m.sort_order, p.identifier as parent, m.id
      from apotheca.permissions m left join apotheca.permissions p on p.id = m.parent_permission_id
      where m.is_menu order by m.identifier`;
    expect(await inTenant('MENUS', menus)).toEqual([
      {
        identifier: 'menu.counts',
        route: '/counts',
        icon: 'circle',
        sort_order: 2,
        parent: 'menu.stock',
        id: child.id,
      },
      { identifier: 'menu.stock', route: '#', icon: 'box', sort_order: 0, parent: null, id: expect.any(String) },
    ]);
    await test.call(permissionRoutes.edit, { body: menuInput('Stock', { id: parent, isActive: false, icon: 'box' }) });
    expect(outcomes((await sync(id)).result)).toEqual([
      ['menu.counts', 'removed'],
      ['menu.stock', 'removed'],
    ]);
    expect(await inTenant('MENUS', menus)).toEqual([]);
  });

  it('adds again what was removed meanwhile [DECISIONS §10]', async () => {
    const id = await createTenant('AGAIN');
    const body = permissionInput('Comes back', { identifier: 'rx.again' });
    await createPermission(test, body);
    await sync(id);
    await inTenant('AGAIN', "update apotheca.permissions set is_active = false where identifier = 'rx.again'");
    await test.call(permissionRoutes.delete, { query: { id: body.id } });
    expect(outcomes((await sync(id)).result)).toEqual([['rx.again', 'removed']]);
    await createPermission(test, body);
    expect(outcomes((await sync(id)).result)).toEqual([['rx.again', 'added']]);
  });

  it('leaves off what the tenant has switched off while it was inactive for all as well [DECISIONS §10]', async () => {
    const id = await createTenant('MAINTAINED');
    const right = permissionInput('Approve', { identifier: 'rx.approve' });
    const parent = menuInput('Orders', { identifier: 'menu.orders' });
    const menu = menuInput('Open orders', { identifier: 'menu.open-orders', parentPermissionId: parent.id });
    for (const body of [right, parent, menu]) await createPermission(test, body);
    await sync(id);
    const off = "set is_active = false where identifier in ('rx.approve', 'menu.open-orders')";
    await inTenant('MAINTAINED', `update apotheca.permissions ${off}`);
    const switchAll = async (isActive: boolean) => {
      for (const body of [right, parent]) await test.call(permissionRoutes.edit, { body: { ...body, isActive } });
    };
    await switchAll(false);
    expect((await sync(id)).result).toMatchObject({ removed: 1, kept: ['rx.approve', 'menu.open-orders'] });
    await switchAll(true);
    expect((await sync(id)).result).toMatchObject({ added: 1, kept: ['rx.approve', 'menu.open-orders'] });
    const rows = `select identifier, is_active from apotheca.permissions where identifier ~ '[.](approve|.*orders)$' order by 1`;
    expect(await inTenant('MAINTAINED', rows)).toEqual([
      { identifier: 'menu.open-orders', is_active: false },
      { identifier: 'menu.orders', is_active: true },
      { identifier: 'rx.approve', is_active: false },
    ]);
  });

  it('works when permissions have swapped their ids [DECISIONS §10]', async () => {
    const id = await createTenant('SWAPPED');
    const one = permissionInput('One', { identifier: 'rx.one' });
    const two = permissionInput('Two', { identifier: 'rx.two' });
    await createPermission(test, one);
    await createPermission(test, two);
    await sync(id);
    await test.call(permissionRoutes.edit, { body: { ...two, identifier: 'rx.three' } });
    await test.call(permissionRoutes.edit, { body: { ...one, identifier: 'rx.two' } });
    expect(outcomes((await sync(id)).result)).toEqual([
      ['rx.three', 'added'],
      ['rx.two', 'changed'],
      ['rx.one', 'removed'],
    ]);
    expect((await sync(id)).result).toEqual(NOTHING);
  });

  it('leaves menus in their parent when that id gets another identifier [DECISIONS §10]', async () => {
    const id = await createTenant('RENAMED');
    const parent = menuInput('Wards', { identifier: 'menu.wards' });
    await createPermission(test, parent);
    await createPermission(test, menuInput('Beds', { identifier: 'menu.beds', parentPermissionId: parent.id }));
    await sync(id);
    await test.call(permissionRoutes.edit, { body: { ...parent, identifier: 'menu.floors' } });
    expect(outcomes((await sync(id)).result)).toEqual([
      ['menu.floors', 'added'],
      ['menu.beds', 'changed'],
      ['menu.wards', 'removed'],
    ]);
    const beds = "select parent_permission_id as parent from apotheca.permissions where identifier = 'menu.beds'";
    expect(await inTenant('RENAMED', beds)).toEqual([{ parent: parent.id }]);
    expect((await sync(id)).result).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  it('has one result when two syncs run at once [DECISIONS §10]', async () => {
    const id = await createTenant('TWICE');
    const { length } = await catalogue();
    const active = (await catalogue()).filter(({ isActive, isMenu }) => isActive && !isMenu).length;
    const added = (await Promise.all([sync(id), sync(id)])).map(({ result }) => result.added);
    expect(Math.min(...added)).toBe(0);
    expect(Math.max(...added)).toBeGreaterThanOrEqual(active);
    expect(Math.max(...added)).toBeLessThanOrEqual(length);
  });

  it('refuses an unknown tenant, and needs the permission [§7.3]', async () => {
    expect(await sync('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 });
    const { token } = await test.signInAs('Operator');
    expect(await test.call(permissionRoutes.sync, { token })).toMatchObject({ status: 403 });
  });
});

describe('POST /adminpermission/syncpermissions without a tenant', () => {
  const rowOf = async (identifier: string) => (await catalogue()).find((row) => row.identifier === identifier);
  const roleNamesOf = async (identifier: string) => {
    const roles = await test.context.platform
      .selectFrom('rolePermissions as rp')
      .innerJoin('roles as r', 'r.id', 'rp.roleId')
      .innerJoin('permissions as p', 'p.id', 'rp.permissionId')
      .select('r.name')
      .where('p.identifier', '=', identifier)
      .orderBy('r.name')
      .execute();
    return roles.map(({ name }) => name);
  };

  it('resets built-in permissions, and gives new ones to roles by their access [DECISIONS §10]', async () => {
    const { platform } = test.context;
    await platform.updateTable('permissions').set({ name: 'Other' }).where('identifier', '=', 'users.read').execute();
    await platform.deleteFrom('permissions').where('identifier', '=', 'users.write').execute();
    const { message, result } = await sync();
    expect(message).toBe('Permissions synced: 1 added, 1 changed, 0 removed.');
    expect(outcomes(result)).toEqual([
      ['users.write', 'added'],
      ['users.read', 'changed'],
    ]);
    expect((await sync()).result).toEqual(NOTHING);
    expect(await roleNamesOf('users.write')).toEqual(['Administrator', 'Operator']);
    const row = await rowOf('users.read');
    expect(row).toMatchObject({ name: 'View users', isBuiltIn: true, version: 2 });
    expect(await auditOf(test, row?.id ?? '')).toMatchObject([
      { action: 'permissions.sync', changes: { name: ['Other', 'View users'], version: [1, 2] } },
    ]);
    expect((await auditOf(test, 'catalogue')).at(-2)).toMatchObject({ changes: { added: 1, changed: 1 } });
  });

  /** A permission of another version's code, which the Operator has. */
  async function insertBuiltIn(identifier: string): Promise<void> {
    const { platform } = test.context;
    const row = { module: 'AdminModule', name: 'Other', identifier, isBuiltIn: true };
    const { id } = await platform.insertInto('permissions').values(row).returning('id').executeTakeFirstOrThrow();
    const grant = { roleId: await roleId(test, 'Operator'), permissionId: id };
    await platform.insertInto('rolePermissions').values(grant).execute();
  }

  it('removes built-in ones that the code has given up, and no others [DECISIONS §10]', async () => {
    await insertBuiltIn('menus.write');
    const custom = await createPermission(test, permissionInput('Custom', { identifier: 'rx.custom' }));
    const { result } = await sync();
    expect(outcomes(result)).toEqual([['menus.write', 'removed']]);
    expect(await roleNamesOf('menus.write')).toEqual([]);
    expect(await rowOf('rx.custom')).toMatchObject({ id: custom, isBuiltIn: false });
  });

  it('leaves what a newer version has, with what roles have of it [DECISIONS §10] [DECISIONS §13]', async () => {
    await insertBuiltIn('colours.read');
    expect((await sync()).result).toEqual(NOTHING);
    expect(await roleNamesOf('colours.read')).toEqual(['Operator']);
    await test.context.platform.deleteFrom('permissions').where('identifier', '=', 'colours.read').execute();
  });

  it('does not give back what a role lost [DECISIONS §10]', async () => {
    const permissionIds: string[] = [];
    await test.call(roleRoutes.editPermissions, { body: { roleId: await roleId(test, 'Viewer'), permissionIds } });
    expect((await sync()).result).toEqual(NOTHING);
    expect(await roleNamesOf('tenants.read')).toEqual(['Administrator', 'Operator']);
  });

  it('makes a custom permission built in once the code has it [DECISIONS §10]', async () => {
    const { platform } = test.context;
    await platform.deleteFrom('permissions').where('identifier', '=', 'audit.read').execute();
    const body = permissionInput('Mine', { identifier: 'Audit.Read', isActive: false });
    const id = await createPermission(test, body);
    expect(outcomes((await sync()).result)).toEqual([['audit.read', 'changed']]);
    const sortOrder = PERMISSION_CATALOGUE.findIndex(({ identifier }) => identifier === 'audit.read');
    expect(await rowOf('audit.read')).toMatchObject({ id, isBuiltIn: true, isActive: true, sortOrder });
  });
});
