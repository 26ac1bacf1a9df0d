import { permissionRoutes } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';

const test = useTestApp();

const sync = (tenantId?: string) => test.call(permissionRoutes.sync, { query: tenantId ? { tenantId } : {} });
const createTenant = async (code: string): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code) })).result.id;
const inTenant = async (code: string, text: string) => {
  const { physicalName } = await getDatabaseByName(test.context, code);
  const { rows } = await withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(text));
  return rows;
};
const catalogue = () => test.context.platform.selectFrom('permissions').selectAll().execute();

describe('POST /adminpermission/syncpermissions with a tenant', () => {
  it('writes every active permission, and nothing the second time [§7.3]', async () => {
    const id = await createTenant('SYNCED');
    const { length } = await catalogue();
    expect(await sync(id)).toMatchObject({
      status: 200,
      message: `Permissions synced: ${length} added, 0 changed, 0 removed.`,
      result: { added: length, changed: 0, removed: 0, kept: [] },
    });
    const written = await inTenant('SYNCED', 'select identifier from apotheca.permissions where is_active');
    expect(written).toHaveLength(length);
    expect((await sync(id)).result).toEqual({ added: 0, changed: 0, removed: 0, kept: [] });
  });

  it('leaves off what the tenant switched off, and names it, each time [DECISIONS §10]', async () => {
    const id = await createTenant('STUBBORN');
    await sync(id);
    await inTenant('STUBBORN', "update apotheca.permissions set is_active = false where identifier = 'faqs.write'");
    for (let round = 0; round < 2; round += 1) {
      expect((await sync(id)).result).toEqual({ added: 0, changed: 0, removed: 0, kept: ['faqs.write'] });
    }
    const off = await inTenant('STUBBORN', 'select identifier from apotheca.permissions where not is_active');
    expect(off).toEqual([{ identifier: 'faqs.write' }]);
  });

  it('renames what was renamed, and removes what the catalogue has no longer [DECISIONS §10]', async () => {
    const id = await createTenant('CHANGING');
    await sync(id);
    await inTenant('CHANGING', "update apotheca.permissions set name = 'Old' where identifier = 'faqs.read'");
    await inTenant(
      'CHANGING',
      "insert into apotheca.permissions (id, module, name, identifier) values (gen_random_uuid(), 'Rx', 'Gone', 'rx.gone')",
    );
    expect((await sync(id)).result).toEqual({ added: 0, changed: 1, removed: 1, kept: [] });
    expect(await inTenant('CHANGING', "select name from apotheca.permissions where identifier = 'faqs.read'")).toEqual([
      { name: 'View FAQs' },
    ]);
  });

  it('knows no other tenant, and needs the permission [§7.3]', async () => {
    expect(await sync('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 });
    const { token } = await test.signInAs('Operator');
    expect(await test.call(permissionRoutes.sync, { token })).toMatchObject({ status: 403 });
  });
});

describe('POST /adminpermission/syncpermissions without a tenant', () => {
  it('puts back what the code says of its permissions [DECISIONS §10]', async () => {
    const { platform } = test.context;
    await platform.updateTable('permissions').set({ name: 'Other' }).where('identifier', '=', 'users.read').execute();
    await platform.deleteFrom('permissions').where('identifier', '=', 'users.delete').execute();
    expect((await sync()).result).toEqual({ added: 1, changed: 1, removed: 0, kept: [] });
    expect((await sync()).result).toEqual({ added: 0, changed: 0, removed: 0, kept: [] });
    const row = (await catalogue()).find(({ identifier }) => identifier === 'users.read');
    expect(row?.name).toBe('View users');
  });
});
