import { randomUUID } from 'node:crypto';
import { type Role, rolePlan, roleRoutes } from '@apotheca/contract/roles';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { auditOf, createPermission, permissionInput, roleId } from '../../testing/permissions.ts';

const test = useTestApp();
let operator: { id: string; token: string };

beforeAll(async () => {
  operator = await test.signInAs('Operator');
});

const listRoles = async (): Promise<Role[]> => (await test.call(roleRoutes.list)).result;
const permissionsOf = async (name: string): Promise<string[]> => {
  const role = (await listRoles()).find(({ roleName }) => roleName === name);
  const identifiers = await identifiersById();
  return (role?.permissionIds ?? []).map((id) => identifiers.get(id) ?? '').toSorted();
};
const rows = () => test.context.platform.selectFrom('permissions').select(['id', 'identifier']).execute();
const identifiersById = async () => new Map((await rows()).map(({ id, identifier }) => [id, identifier]));
const idsOf = async (identifiers: readonly string[]) =>
  (await rows()).filter(({ identifier }) => identifiers.includes(identifier)).map(({ id }) => id);
const body = async (role: string, identifiers: readonly string[], more: object = {}) => ({
  roleId: await roleId(test, role),
  permissionIds: await idsOf(identifiers),
  ...more,
});
const planRole = async (role: string, identifiers: readonly string[]) =>
  test.call(roleRoutes.planPermissions, { body: await body(role, identifiers) });
const edit = async (role: string, identifiers: readonly string[], more: object = {}, token?: string) =>
  test.call(roleRoutes.editPermissions, { body: await body(role, identifiers, more), ...(token && { token }) });
/** Creates a role for one test. */
const makeRole = async (name: string, identifiers: readonly string[]) => {
  await test.context.platform.insertInto('roles').values({ name }).execute();
  await edit(name, identifiers);
};
const signInNew = async (role: string) => {
  const account = await insertAccount(test, { role });
  return { ...account, token: (await signInTo(test, account)).accessToken };
};

describe('GET /roles/get', () => {
  it('lists roles with their permissions and users, without deleted users [DECISIONS §5]', async () => {
    expect(await test.call(roleRoutes.list, { token: null })).toMatchObject({ status: 401 });
    const gone = await insertAccount(test, { role: 'Viewer' });
    await insertAccount(test, { role: 'Viewer', isActive: false });
    const { platform } = test.context;
    await platform.updateTable('users').set({ deletedAt: test.clock.now }).where('id', '=', gone.id).execute();
    const roles = await listRoles();
    expect(roles.map(({ roleName, users }) => [roleName, users])).toEqual([
      ['Administrator', 1],
      ['Operator', 1],
      ['Viewer', 1],
    ]);
    expect(await permissionsOf('Administrator')).toEqual((await rows()).map(({ identifier }) => identifier).toSorted());
    expect(await permissionsOf('Viewer')).toEqual(expect.arrayContaining(['tenants.read', 'permissions.read']));
    expect(await permissionsOf('Viewer')).not.toContain('tenants.write');
  });
});

describe('POST /rolepermissions/preview', () => {
  it('answers whom a change would affect, and changes nothing [DECISIONS §5]', async () => {
    await makeRole('Previewed', ['tenants.read', 'users.read']);
    const { id, userName } = await insertAccount(test, { role: 'Previewed' });
    const answer = await planRole('Previewed', ['tenants.read', 'databases.read', 'faqs.read']);
    expect(answer).toMatchObject({
      status: 200,
      message: 'Role Previewed would change: 2 permissions added, 1 removed; 1 user affected.',
      result: {
        roleName: 'Previewed',
        added: ['databases.read', 'faqs.read'],
        removed: ['users.read'],
        users: [{ id, userName }],
      },
    });
    expect(rolePlan.parse(answer.result)).toEqual(answer.result);
    expect(await permissionsOf('Previewed')).toEqual(['tenants.read', 'users.read']);
  });

  it('is allowed to readers, and names what is wrong [§6]', async () => {
    const asked = await body('Viewer', []);
    const { token } = operator;
    expect(await test.call(roleRoutes.planPermissions, { body: asked, token })).toMatchObject({ status: 200 });
    expect(await test.call(roleRoutes.planPermissions, { body: {} })).toMatchObject({
      status: 400,
      errors: { roleId: ['Id is required'], permissionIds: ['permissionIds is required'] },
    });
  });
});

describe('PUT /rolepermissions/edit', () => {
  it('needs its permission [§6]', async () => {
    expect(await edit('Viewer', [], {}, operator.token)).toMatchObject({ status: 403 });
    expect(await test.call(roleRoutes.editPermissions, { body: {}, token: null })).toMatchObject({ status: 401 });
  });

  it('refuses an unknown role and unknown permissions [§6]', async () => {
    const unknown = randomUUID();
    const asked = { roleId: unknown, permissionIds: [] };
    expect(await test.call(roleRoutes.editPermissions, { body: asked })).toMatchObject({
      status: 404,
      message: 'There is no such role.',
    });
    const permissionIds = [...(await idsOf(['users.read'])), unknown];
    expect(await edit('Viewer', [], { permissionIds })).toMatchObject({
      status: 400,
      errors: { permissionIds: [`There is no permission ${unknown}.`] },
    });
  });

  it('does not change the Administrator [DECISIONS §5]', async () => {
    for (const answer of [await planRole('Administrator', []), await edit('Administrator', [])]) {
      expect(answer).toMatchObject({ status: 409, title: 'Protected' });
    }
    expect(await permissionsOf('Administrator')).toHaveLength((await rows()).length);
  });

  it('takes effect with the next request of its users, and is audited [DECISIONS §5]', async () => {
    await makeRole('Clerk', ['tenants.read', 'users.read']);
    const { token } = await signInNew('Clerk');
    await insertAccount(test, { role: 'Clerk' });
    const createTenant = () => test.call(tenantRoutes.create, { body: tenantInput(''), token });
    const listTenants = () => test.call(tenantRoutes.list, { token });
    expect([(await listTenants()).status, (await createTenant()).status]).toEqual([200, 403]);
    expect(await edit('Clerk', ['tenants.write', 'users.read'])).toMatchObject({
      status: 200,
      message: 'Role Clerk changed: 1 permission added, 1 removed; 2 users affected.',
      result: { added: ['tenants.write'], removed: ['tenants.read'], users: [{}, {}] },
    });
    expect([(await listTenants()).status, (await createTenant()).status]).toEqual([403, 400]);
    expect((await auditOf(test, await roleId(test, 'Clerk'))).at(-1)).toEqual({
      action: 'roles.edit',
      entity: 'roles',
      changes: { roleName: 'Clerk', added: ['tenants.write'], removed: ['tenants.read'] },
    });
  });

  it('accepts ids in any case, and repeated ones [§6]', async () => {
    await makeRole('Shouted', []);
    const [id = ''] = await idsOf(['faqs.read']);
    expect(await edit('Shouted', [], { permissionIds: [id.toUpperCase(), id, id] })).toMatchObject({
      status: 200,
      result: { added: ['faqs.read'] },
    });
    expect(await permissionsOf('Shouted')).toEqual(['faqs.read']);
  });

  it('writes nothing when nothing changes [DECISIONS §12]', async () => {
    await makeRole('Content', ['faqs.read']);
    const before = await auditOf(test, await roleId(test, 'Content'));
    expect(await edit('Content', ['faqs.read'])).toMatchObject({
      status: 200,
      message: 'Role Content has these permissions already.',
    });
    expect(await auditOf(test, await roleId(test, 'Content'))).toEqual(before);
  });

  it('changes nothing when the plan has changed, and answers the new plan [DECISIONS §8]', async () => {
    await makeRole('Planned', ['faqs.read']);
    const asked = ['faqs.read', 'faqs.write'];
    const digest = async () => (await planRole('Planned', asked)).result.digest;
    const plan = await digest();
    expect(await edit('Planned', ['faqs.delete'], { plan })).toMatchObject({ status: 409 });
    const { id } = await insertAccount(test, { role: 'Planned' });
    const refused = await edit('Planned', asked, { plan });
    expect(refused).toMatchObject({ status: 409, title: 'Plan changed', result: { users: [{ id }] } });
    expect(refused.result.digest).toBe(await digest());
    expect(await permissionsOf('Planned')).toEqual(['faqs.read']);
    expect(await edit('Planned', asked, { plan: refused.result.digest })).toMatchObject({ status: 200 });
    expect(await edit('Planned', asked, { plan: refused.result.digest })).toMatchObject({ status: 409 });
  });

  it('refuses to give what the caller does not have, also to their own role [DECISIONS §5]', async () => {
    await makeRole('Granter', ['permissions.read', 'permissions.write', 'faqs.read']);
    await makeRole('Grantee', ['permissions.read']);
    const { id, token } = await signInNew('Granter');
    for (const role of ['Grantee', 'Granter']) {
      const asked = ['permissions.write', 'faqs.read', 'users.write', 'tenants.delete'];
      expect(await edit(role, asked, {}, token)).toMatchObject({
        status: 403,
        message: "You do not have the permission 'tenants.delete'.",
      });
    }
    const refusals = (await auditOf(test, id)).filter(({ action }) => action === 'auth.refused');
    expect(refusals).toHaveLength(2);
    expect(refusals[0]?.changes).toMatchObject({ path: '/rolepermissions/edit', permission: 'tenants.delete' });
    expect(await edit('Grantee', ['permissions.read', 'faqs.read'], {}, token)).toMatchObject({ status: 200 });
    expect(await edit('Grantee', ['faqs.read'], {}, token)).toMatchObject({ status: 200 });
  });

  it('refuses to change a role that may do what the caller may not [DECISIONS §13]', async () => {
    await makeRole('Weaker', ['permissions.read', 'permissions.write']);
    await makeRole('Stronger', ['permissions.read', 'users.delete']);
    const { token } = await signInNew('Weaker');
    for (const asked of [[], ['users.delete'], ['permissions.read', 'permissions.write', 'users.delete']]) {
      expect(await edit('Stronger', asked, {}, token)).toMatchObject({
        status: 403,
        message: "This user role has the permission 'users.delete', which you do not have.",
      });
    }
    expect(await permissionsOf('Stronger')).toEqual(['permissions.read', 'users.delete']);
  });

  it('gives a new permission to the Administrator only [DECISIONS §5]', async () => {
    await createPermission(test, permissionInput('Newest', { identifier: 'rx.newest' }));
    const having = (await listRoles()).filter(({ permissionIds }) => permissionIds.length > 0);
    const names = await Promise.all(
      having.map(async ({ roleName }) => ((await permissionsOf(roleName)).includes('rx.newest') ? roleName : '')),
    );
    expect(names.filter(Boolean)).toEqual(['Administrator']);
  });
});
