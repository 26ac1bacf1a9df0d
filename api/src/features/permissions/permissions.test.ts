import { randomUUID } from 'node:crypto';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { staleRecord } from '@apotheca/contract/version';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import {
  auditOf,
  createPermission,
  listPermissions,
  menuInput,
  permissionInput,
  permissionRow,
  useCallers,
} from '../../testing/permissions.ts';

const test = useTestApp();
const callers = useCallers(test);

const list = (query?: Record<string, string>) => listPermissions(test, query);
const findRow = (id: string) => permissionRow(test, id);
const rolesOf = async (permissionId: string) => {
  const roles = await test.context.platform
    .selectFrom('rolePermissions as rp')
    .innerJoin('roles as r', 'r.id', 'rp.roleId')
    .select('r.name')
    .where('rp.permissionId', '=', permissionId)
    .execute();
  return roles.map(({ name }) => name);
};
const create = (body: object) => test.call(permissionRoutes.create, { body });
const edit = (body: object) => test.call(permissionRoutes.edit, { body });
const remove = (id: string) => test.call(permissionRoutes.delete, { query: { id } });
const builtInRow = async (identifier: string) => (await list()).find((row) => row.identifier === identifier);

const UNKNOWN = randomUUID();

describe('GET /adminpermission/get', () => {
  it('needs a token and its permission [§7.3]', async () => {
    expect(await test.call(permissionRoutes.list, { token: null })).toMatchObject({ status: 401 });
    expect(await test.call(permissionRoutes.list, { token: callers.operator })).toMatchObject({ status: 200 });
  });

  it('refuses an unknown column [DECISIONS §3]', async () => {
    expect(await test.call(permissionRoutes.list, { query: { sortColumn: 'id' } })).toMatchObject({
      status: 400,
      errors: { sortColumn: ['sortColumn must be one of: sortOrder, module, name, identifier'] },
    });
  });

  it('answers the code’s permissions, as the contract says [§2.14]', async () => {
    const { result } = await test.call(permissionRoutes.list);
    expect(permissionRoutes.list.result.parse(result)).toEqual(result);
    const identifiers = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);
    const builtIn = result.permissions.filter(({ isBuiltIn }: Permission) => isBuiltIn);
    expect(builtIn.map(({ identifier }: Permission) => identifier)).toEqual(identifiers);
  });

  it.each(['sortOrder', 'module', 'name', 'identifier'] as const)(
    'sorts by %s both ways, equal ones by identifier [§2.14]',
    async (sortColumn) => {
      await create(permissionInput('zebra order', { sortOrder: 3 }));
      await create(permissionInput('Apple order', { sortOrder: 3 }));
      const keyOf = (row: Permission) => (sortColumn === 'sortOrder' ? row.sortOrder : row[sortColumn].toLowerCase());
      const compare = <T>(one: T, other: T) => Number(one > other) - Number(one < other);
      const byIdentifier = (one: Permission, other: Permission) =>
        one.identifier.localeCompare(other.identifier, 'und', { sensitivity: 'accent' });
      const rows = await list({ sortColumn });
      const ascending = rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || byIdentifier(a, b));
      expect(rows).toEqual(ascending);
      const descending = rows.toSorted((a, b) => compare(keyOf(b), keyOf(a)) || byIdentifier(a, b));
      expect(await list({ sortColumn, sortDirection: 'desc' })).toEqual(descending);
    },
  );
});

describe('GET /managedatabase/getavailableguids', () => {
  it('answers ten ids that no permission has, new ones each time [DECISIONS §10]', async () => {
    const one = (await test.call(permissionRoutes.listAvailableIds)).result;
    const other = (await test.call(permissionRoutes.listAvailableIds)).result;
    expect(one).toHaveLength(10);
    expect(new Set([...one, ...other, ...(await list()).map(({ id }) => id)]).size).toBe(20 + (await list()).length);
    expect(await create(permissionInput('Offered', { id: one[0] }))).toMatchObject({ status: 200 });
  });
});

describe('POST /adminpermission/create', () => {
  it('needs a token and its permission [§6]', async () => {
    const body = permissionInput('Refused');
    expect(await test.call(permissionRoutes.create, { body, token: null })).toMatchObject({ status: 401 });
    expect(await test.call(permissionRoutes.create, { body, token: callers.operator })).toMatchObject({
      status: 403,
      message: "You do not have the permission 'permissions.write'.",
    });
    expect(await findRow(body.id)).toBeUndefined();
  });

  it('names every field that is wrong [§5]', async () => {
    expect(await create({ sortOrder: -1 })).toMatchObject({
      status: 400,
      errors: {
        id: ['Permission id is required'],
        name: ['Permission Name is Required'],
        module: ['Permission Module is Required'],
        sortOrder: ['Sort Order must be at least 0'],
      },
    });
    expect(await create(permissionInput('Rx', { module: 'Menu' }))).toMatchObject({
      status: 400,
      errors: { module: ['Permission Module is Required'] },
    });
  });

  it('refuses an id that is used, and an identifier, ignoring case [§7.3]', async () => {
    const body = permissionInput('Taken', { identifier: 'rx.taken' });
    await create(body);
    expect(await create(permissionInput('Another', { id: body.id }))).toMatchObject({
      status: 409,
      errors: { id: ['This id is used already.'] },
    });
    expect(await create(permissionInput('Another', { identifier: 'RX.Taken' }))).toMatchObject({
      status: 409,
      errors: { identifier: ['A permission with this identifier exists already.'] },
    });
  });

  it('writes it, gives it to the Administrator only, and audits it [§2.14]', async () => {
    const body = permissionInput('Dispense on hold', { sortOrder: 7, createdBy: callers.administratorId });
    const foreign = {
      isBuiltIn: true,
      version: 9,
      updatedBy: callers.administratorId,
      createdAt: '2001-01-01',
      route: '/x',
    };
    expect(await create({ ...body, ...foreign })).toMatchObject({
      status: 200,
      message: 'Success! Permission has been Created.',
      result: { id: body.id },
    });
    expect(await findRow(body.id)).toMatchObject({
      name: 'Dispense on hold',
      module: 'Rx',
      identifier: 'dispenseOnHold',
      sortOrder: 7,
      isActive: true,
      isMenu: false,
      route: null,
      icon: null,
      parentPermissionId: null,
      isBuiltIn: false,
      version: 1,
      createdBy: callers.administratorId,
      updatedBy: null,
      createdAt: test.clock.now,
    });
    expect(await rolesOf(body.id)).toEqual(['Administrator']);
    expect(await auditOf(test, body.id)).toMatchObject([
      { action: 'permissions.create', entity: 'permissions', changes: { identifier: 'dispenseOnHold', module: 'Rx' } },
    ]);
  });

  it('makes one of two with the same identifier at once [§7.3]', async () => {
    const twice = [1, 2].map(() => create(permissionInput('Race', { identifier: 'rx.race' })));
    expect((await Promise.all(twice)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('PUT /adminpermission/edit', () => {
  it('refuses an unknown permission, and needs its own [§7.3]', async () => {
    expect(await edit(permissionInput('Nobody', { id: UNKNOWN }))).toMatchObject({ status: 404 });
    const body = permissionInput('Nobody', { id: UNKNOWN });
    expect(await test.call(permissionRoutes.edit, { body, token: callers.operator })).toMatchObject({ status: 403 });
  });

  it('keeps the fields that it does not name, and audits what it changes [DECISIONS §8]', async () => {
    const id = await createPermission(test, permissionInput('First', { identifier: 'rx.first', isActive: false }));
    expect(await edit(permissionInput('Second', { id, sortOrder: 4 }))).toMatchObject({
      status: 200,
      message: 'Success! Permission has been updated.',
      result: { id },
    });
    expect(await findRow(id)).toMatchObject({
      name: 'Second',
      identifier: 'rx.first',
      isActive: false,
      sortOrder: 4,
      version: 2,
      updatedBy: callers.administratorId,
    });
    expect((await auditOf(test, id))[1]).toEqual({
      action: 'permissions.edit',
      entity: 'permissions',
      changes: { name: ['First', 'Second'], sortOrder: [0, 4], version: [1, 2] },
    });
    await edit(permissionInput('Third', { id, sortOrder: undefined }));
    expect(await findRow(id)).toMatchObject({ name: 'Third', sortOrder: 4 });
  });

  it('refuses an old version, and says what somebody else has changed [DECISIONS §12]', async () => {
    const id = await createPermission(test, permissionInput('Contended'));
    await edit(permissionInput('Contended by one', { id, version: 1 }));
    const stale = await edit(permissionInput('Contended by two', { id, version: 1 }));
    expect(stale).toMatchObject({ status: 409, title: 'Changed meanwhile' });
    expect(staleRecord.parse(stale.result)).toMatchObject({
      version: 2,
      changes: [{ field: 'name', before: 'Contended', after: 'Contended by one', by: 'admin' }],
    });
    expect((await findRow(id))?.name).toBe('Contended by one');
    expect(await edit(permissionInput('Contended by two', { id, version: 2 }))).toMatchObject({ status: 200 });
  });

  it('does not make a menu of a permission [§7.3]', async () => {
    const id = await createPermission(test, permissionInput('Stays'));
    expect(await edit(menuInput('Stays', { id }))).toMatchObject({
      status: 400,
      errors: { isMenu: ['This is not a menu.'] },
    });
  });

  it('refuses an identifier that another one has [§7.3]', async () => {
    await createPermission(test, permissionInput('Owner', { identifier: 'rx.owned' }));
    const id = await createPermission(test, permissionInput('Wants it'));
    expect(await edit(permissionInput('Wants it', { id, identifier: 'RX.OWNED' }))).toMatchObject({
      status: 409,
      errors: { identifier: expect.any(Array) },
    });
  });

  it('protects what the code depends on, and changes the rest [DECISIONS §10]', async () => {
    const row = await builtInRow('faqs.delete');
    const { id, identifier, module, sortOrder } = row ?? expect.fail();
    const same = { id, identifier, module, sortOrder };
    for (const [change, what] of [
      [{ isActive: false }, 'be switched off'],
      [{ identifier: 'faqs.other' }, 'get another identifier'],
      [{ module: 'Rx' }, 'get another module'],
    ] as const) {
      expect(await edit(permissionInput('Delete FAQs', { ...same, ...change }))).toMatchObject({
        status: 409,
        title: 'Protected',
        message: `'Delete FAQs' is built in: it cannot ${what}.`,
      });
    }
    expect(await edit(permissionInput('Erase FAQs', { ...same, identifier: '' }))).toMatchObject({ status: 200 });
    expect(await builtInRow('faqs.delete')).toMatchObject({ name: 'Erase FAQs', isActive: true });
  });
});

describe('DELETE /adminpermission/delete', () => {
  it('needs its permission and a record [§7.3]', async () => {
    const query = { id: UNKNOWN };
    expect(await test.call(permissionRoutes.delete, { query, token: callers.operator })).toMatchObject({ status: 403 });
    expect(await remove(UNKNOWN)).toMatchObject({ status: 404, message: 'There is no such permission.' });
  });

  it('refuses built-in permissions [DECISIONS §10]', async () => {
    const row = await builtInRow('users.read');
    expect(await remove(row?.id ?? '')).toMatchObject({
      status: 409,
      title: 'Protected',
      message: "'View users' is built in: it cannot be deleted.",
    });
    expect(await builtInRow('users.read')).toEqual(row);
  });

  it('takes it from its roles, and audits everything needed to create it again [DECISIONS §12]', async () => {
    const body = permissionInput('Passing', { sortOrder: 2, identifier: 'rx.passing' });
    const id = await createPermission(test, body);
    expect(await remove(id)).toMatchObject({
      status: 200,
      message: 'Success! Permission has been deleted.',
      result: { id },
    });
    expect(await findRow(id)).toBeUndefined();
    expect(await rolesOf(id)).toEqual([]);
    const [, entry] = await auditOf(test, id);
    expect(entry).toMatchObject({ action: 'permissions.delete', changes: { ...body, roles: ['Administrator'] } });
    expect(await create(body)).toMatchObject({ status: 200 });
  });
});
