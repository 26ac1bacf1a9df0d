import { permissionRoutes } from '@apotheca/contract/permissions';
import { type TenantPermission, tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { auditOf, createPermission, menuInput, permissionInput } from '../../testing/permissions.ts';
import { queryTenant } from '../../testing/tenant-query.ts';

const test = useTestApp();

const NOBODY = '00000000-0000-4000-8000-000000000000';
const { list, set } = tenantPermissionRoutes;

const sync = (tenantId: string) => test.call(permissionRoutes.sync, { query: { tenantId } });
const createTenant = async (code: string): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code) })).result.id;
const turn = (tenantId: string, isActive: unknown, identifier = 'faqs.write') =>
  test.call(set, { query: { tenantId, identifier, isActive: String(isActive) } });
const stateIn = (code: string) =>
  queryTenant(test, code, 'select is_active, synced_is_active from apotheca.permissions where identifier = $1', [
    'faqs.write',
  ]);

describe('GET /adminpermission/gettenantpermissions', () => {
  it('needs a token, the permission and a tenant that exists [§6]', async () => {
    expect(await test.call(list, { query: { tenantId: NOBODY }, token: '' })).toMatchObject({ status: 401 });
    expect(await test.call(list, { query: {} })).toMatchObject({
      status: 400,
      errors: { tenantId: ['tenantId is required'] },
    });
    expect(await test.call(list, { query: { tenantId: NOBODY } })).toMatchObject({
      status: 404,
      message: 'There is no such tenant.',
    });
  });

  it('is empty before the first sync, then has all that was synced, for all who may read [§2.8, DECISIONS §10]', async () => {
    const tenantId = await createTenant('LISTED');
    const { token } = await test.signInAs('Viewer');
    const listed = async (): Promise<TenantPermission[]> =>
      (await test.call(list, { query: { tenantId }, token })).result;
    expect(await listed()).toEqual([]);
    const { added } = (await sync(tenantId)).result;
    const permissions = await listed();
    expect(permissions).toHaveLength(added);
    expect(permissions.find(({ identifier }) => identifier === 'faqs.write')).toEqual({
      id: expect.any(String),
      module: 'AdminModule',
      name: 'Create and edit FAQs',
      identifier: 'faqs.write',
      isMenu: false,
      isActive: true,
    });
  });
});

describe('PUT /adminpermission/settenantpermission', () => {
  it('needs a token, the permission, and what to switch in which way [§6]', async () => {
    const query = { tenantId: NOBODY, identifier: 'faqs.write', isActive: 'false' };
    expect(await test.call(set, { query, token: '' })).toMatchObject({ status: 401 });
    const { token } = await test.signInAs('Operator');
    expect(await test.call(set, { query, token })).toMatchObject({ status: 403 });
    const { status, errors } = await test.call(set, { query: { isActive: 'perhaps' } });
    expect([status, errors]).toEqual([
      400,
      {
        tenantId: ['tenantId is required'],
        identifier: ['identifier is required'],
        isActive: ['isActive must be true or false'],
      },
    ]);
    expect(await test.call(set, { query })).toMatchObject({ status: 404, message: 'There is no such tenant.' });
  });

  it('accepts permissions of that tenant only, and no wildcard [DECISIONS §10]', async () => {
    const tenantId = await createTenant('UNSAID');
    await sync(await createTenant('OTHER'));
    for (const identifier of ['faqs.write', '%', "' or true --"]) {
      expect(await turn(tenantId, false, identifier)).toMatchObject({
        status: 404,
        message: 'The tenant has no such permission.',
      });
    }
    expect(await stateIn('OTHER')).toEqual([{ is_active: true, synced_is_active: true }]);
  });

  it('switches off what later syncs leave off and name, and on again [DECISIONS §10]', async () => {
    const tenantId = await createTenant('SWITCHED');
    await sync(tenantId);
    expect(await turn(tenantId, false)).toMatchObject({
      status: 200,
      message: 'Create and edit FAQs is off for this tenant.',
      result: { identifier: 'faqs.write', isActive: false },
    });
    expect(await stateIn('SWITCHED')).toEqual([{ is_active: false, synced_is_active: true }]);
    for (let round = 0; round < 2; round += 1) {
      expect((await sync(tenantId)).result).toMatchObject({ added: 0, changed: 0, removed: 0, kept: ['faqs.write'] });
      expect(await stateIn('SWITCHED')).toEqual([{ is_active: false, synced_is_active: true }]);
    }
    expect(await turn(tenantId, true)).toMatchObject({ message: 'Create and edit FAQs is on for this tenant.' });
    expect((await sync(tenantId)).result).toMatchObject({ changed: 0, kept: [] });
    expect(await stateIn('SWITCHED')).toEqual([{ is_active: true, synced_is_active: true }]);
  });

  it('switches nothing on that is inactive for all tenants [DECISIONS §10]', async () => {
    const tenantId = await createTenant('REMEMBERED');
    const id = await createPermission(test, permissionInput('Old reports', { identifier: 'reports.old' }));
    await sync(tenantId);
    await turn(tenantId, false, 'reports.old');
    const setForAll = (isActive: boolean) =>
      test.context.platform.updateTable('permissions').set({ isActive }).where('id', '=', id).execute();
    await setForAll(false);
    expect((await sync(tenantId)).result.kept).toEqual(['reports.old']);
    expect(await turn(tenantId, true, 'Reports.Old')).toMatchObject({
      status: 409,
      message: 'Old reports is inactive for all tenants.',
    });
    expect((await sync(tenantId)).result.kept).toEqual(['reports.old']);
    expect(await turn(tenantId, false, 'reports.old')).toMatchObject({ status: 200 });
    await setForAll(true);
    expect(await turn(tenantId, true, 'reports.old')).toMatchObject({ status: 200 });
  });

  it('switches no menu on that is in an inactive one [DECISIONS §10]', async () => {
    const tenantId = await createTenant('NESTED');
    const parentPermissionId = await createPermission(test, menuInput('Stock'));
    await createPermission(test, menuInput('Counts', { identifier: 'stock.counts', parentPermissionId }));
    await sync(tenantId);
    await turn(tenantId, false, 'stock.counts');
    const { platform } = test.context;
    await platform.updateTable('permissions').set({ isActive: false }).where('id', '=', parentPermissionId).execute();
    expect(await turn(tenantId, true, 'stock.counts')).toMatchObject({
      status: 409,
      message: 'Counts, or a menu that it is in, is inactive for all tenants.',
    });
  });

  it('is audited when it changes something, once [DECISIONS §12]', async () => {
    const tenantId = await createTenant('AUDITED');
    await sync(tenantId);
    for (const isActive of [false, false, true]) expect(await turn(tenantId, isActive)).toMatchObject({ status: 200 });
    expect((await auditOf(test, tenantId)).slice(2)).toMatchObject([
      {
        action: 'permissions.switch',
        entity: 'tenants',
        changes: { identifier: 'faqs.write', isActive: [true, false] },
      },
      {
        action: 'permissions.switch',
        entity: 'tenants',
        changes: { identifier: 'faqs.write', isActive: [false, true] },
      },
    ]);
  });

  it('is kept when a sync runs at the same time [DECISIONS §10]', async () => {
    const tenantId = await createTenant('MEANWHILE');
    await sync(tenantId);
    const answers = await Promise.all([sync(tenantId), turn(tenantId, false), sync(tenantId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stateIn('MEANWHILE')).toEqual([{ is_active: false, synced_is_active: true }]);
  });

  it.each(['permissions.switch', 'permissions.sync'])(
    'and a sync change nothing where the audit trail cannot be written: %s [DECISIONS §12]',
    async (action) => {
      const code = action === 'permissions.switch' ? 'UNTOLD' : 'UNTRAILED';
      const tenantId = await createTenant(code);
      if (action === 'permissions.switch') await sync(tenantId);
      const before = await stateIn(code);
      const change = () => (action === 'permissions.switch' ? turn(tenantId, false) : sync(tenantId));
      await withClient(test.databaseUrl, async (client) => {
        await client.query(`
          create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
          create trigger refuse_entry before insert on audit_entries for each row
          when (new.action = '${action}') execute function refuse_entry()`);
        expect(await change()).toMatchObject({ status: 500 });
        await client.query('drop function refuse_entry cascade');
      });
      expect(await stateIn(code)).toEqual(before);
      expect(await change()).toMatchObject({ status: 200 });
      expect((await auditOf(test, tenantId)).at(-1)).toMatchObject({ action });
    },
  );

  it.each([
    ['permissions.switch', 'refuses', "raise 'not now'", ['permissions.switch', 'permissions.switch-failed']],
    ['permissions.sync', 'refuses', "raise 'not now'", ['permissions.sync', 'permissions.sync-failed']],
    // Whether it counts all the same, nobody knows then.
    ['permissions.switch', 'does not answer', 'perform pg_terminate_backend(pg_backend_pid())', ['permissions.switch']],
  ])(
    'and a sync are in the trail as what failed where their commit does: %s, PostgreSQL %s [DECISIONS §12]',
    async (action, how, atCommit, told) => {
      const code = `${action} ${how}`.toUpperCase().replace(/[^A-Z]+/g, '-');
      const tenantId = await createTenant(code);
      if (action === 'permissions.switch') await sync(tenantId);
      const count = (await auditOf(test, tenantId)).length;
      await queryTenant(
        test,
        code,
        `create function public.at_commit() returns trigger language plpgsql as $$ begin ${atCommit}; return null; end $$;
         create constraint trigger at_commit after insert or update on apotheca.permissions deferrable initially deferred
         for each row execute function public.at_commit()`,
      );
      const change = () => (action === 'permissions.switch' ? turn(tenantId, false) : sync(tenantId));
      const before = await stateIn(code);
      expect((await change()).status).toBeGreaterThanOrEqual(500);
      expect(await stateIn(code)).toEqual(before);
      const entries = (await auditOf(test, tenantId)).slice(count);
      expect(entries.map((entry) => entry.action)).toEqual(told);
      for (const { changes } of entries) expect(changes).toEqual(entries[0]?.changes);
    },
  );
});
