import { randomUUID } from 'node:crypto';
import { authRoutes } from '@apotheca/contract/auth';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import { userRoutes } from '@apotheca/contract/users';
import { viewRoutes } from '@apotheca/contract/views';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyAudit } from '../../audit/audit.service.ts';
import type { OidcProvider } from '../../oidc-providers.ts';
import { administratorIdOf, insertAccount, signInTo } from '../../testing/accounts.ts';
import { useApiKeys } from '../../testing/api-keys.ts';
import { useTestApp } from '../../testing/app.ts';
import { editedUser, userInput } from '../../testing/builders.ts';
import { meetAtRow } from '../../testing/lock-order.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { auditOf, menuInput, permissionInput, roleId } from '../../testing/permissions.ts';
import { providerSettings } from '../../testing/provider.ts';

const ROUNDS = IS_LONG_RUN ? 100 : 10;
const PEOPLE = 500;
const oidcProviders: OidcProvider[] = [];
const test = useTestApp({ oidcProviders });

const listRoles = async (): Promise<Role[]> => (await test.call(roleRoutes.list)).result;
const findRole = async (name: string) => (await listRoles()).find(({ roleName }) => roleName === name);
const create = (roleName: string, fields: object = {}, token?: string) =>
  test.call(roleRoutes.create, { body: { roleName, ...fields }, ...(token && { token }) });
const rename = (id: string, roleName: string, fields: object = {}, token?: string) =>
  test.call(roleRoutes.edit, { body: { id, roleName, ...fields }, ...(token && { token }) });
const remove = (id: string, moveTo: string, token?: string) =>
  test.call(roleRoutes.delete, { query: { id, moveTo }, ...(token && { token }) });
const idOf = (name: string) => roleId(test, name);
const countRefusals = async (userId: string) =>
  (await auditOf(test, userId)).filter(({ action }) => action === 'auth.refused').length;

/** Creates a role with permissions, by their identifiers. @returns its id */
async function makeRole(roleName: string, identifiers: readonly string[] = []): Promise<string> {
  const { id } = (await create(roleName)).result;
  const { platform } = test.context;
  const found = platform
    .selectFrom('permissions')
    .select('id')
    .where('identifier', 'in', ['', ...identifiers]);
  const permissionIds = (await found.execute()).map((permission) => permission.id);
  expect((await test.call(roleRoutes.editPermissions, { body: { roleId: id, permissionIds } })).status).toBe(200);
  return id;
}
async function signInNew(role: string) {
  const account = await insertAccount(test, { role });
  return { ...account, ...(await signInTo(test, account)) };
}
const userRow = (id: string) =>
  test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const FIELD = (status: number, field: string, message: string) => ({ status, errors: { [field]: [message] } });
const LACKS = (permission: string) => ({
  status: 403,
  message: `This user role has the permission '${permission}', which you do not have.`,
});

describe('POST /roles/create', () => {
  it('makes a role that may do nothing, and audits it [DECISIONS §13]', async () => {
    const answer = await create('  Stock   Clerk ');
    expect(answer).toMatchObject({ status: 200, message: 'Success! Role has been Created.' });
    const made = { id: answer.result.id, roleName: 'Stock Clerk', isBuiltIn: false };
    expect(await findRole('Stock Clerk')).toEqual({
      ...made,
      users: 0,
      permissionIds: [],
      requiresSecondFactor: false,
      version: 1,
    });
    expect(await auditOf(test, answer.result.id)).toEqual([
      { action: 'roles.create', entity: 'roles', changes: { roleName: 'Stock Clerk' } },
    ]);
  });

  it('copies what another role may do [DECISIONS §13]', async () => {
    const { id } = (await create('Second Viewer', { copyOf: await idOf('Viewer') })).result;
    const [viewer, copy] = [await findRole('Viewer'), await findRole('Second Viewer')];
    expect(copy?.permissionIds).toEqual(viewer?.permissionIds);
    expect(viewer?.isBuiltIn).toBe(true);
    const [entry] = await auditOf(test, id);
    expect(entry?.changes).toMatchObject({
      copiedFrom: 'Viewer',
      permissions: expect.arrayContaining(['tenants.read']),
    });
  });

  it('copies that a role needs a second factor, and audits it [DECISIONS §13]', async () => {
    const source = await makeRole('Guarded', ['faqs.read']);
    await test.call(roleFactorRoutes.setRequired, { body: { id: source, required: true } });
    const { id } = (await create('Guarded too', { copyOf: source })).result;
    expect(await findRole('Guarded too')).toMatchObject({ requiresSecondFactor: true, version: 1 });
    expect((await auditOf(test, id))[0]?.changes).toEqual({
      roleName: 'Guarded too',
      copiedFrom: 'Guarded',
      permissions: ['faqs.read'],
      requiresSecondFactor: true,
    });
  });

  it.each([
    ['', 'Role Name is Required'],
    ['   ', 'Role Name is Required'],
    ['x'.repeat(51), 'Role Name should not be more than 50 characters'],
    ['nul\u0000', 'This text contains a character that cannot be stored'],
    ['right\u202eleft', 'Role Name should have only printable characters'],
  ])('refuses the name %j [DECISIONS §13]', async (name, message) => {
    expect(await create(name)).toMatchObject(FIELD(400, 'roleName', message));
  });

  it('refuses a name that is used, whatever its case, and a role to copy that is not there [DECISIONS §13]', async () => {
    await create('Taken');
    const taken = FIELD(409, 'roleName', 'A role with this name exists already.');
    for (const name of ['Taken', 'TAKEN', ' taken ', 'administrator']) expect(await create(name)).toMatchObject(taken);
    const unknown = FIELD(400, 'copyOf', 'This role is unknown.');
    expect(await create('Copy of none', { copyOf: randomUUID() })).toMatchObject(unknown);
    expect(await findRole('Copy of none')).toBeUndefined();
  });

  it(`of two at once with one name makes one, ${ROUNDS} times [DECISIONS §13]`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([create(`Twin ${round}`), create(`TWIN ${round}`)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused).toMatchObject({ errors: { roleName: ['A role with this name exists already.'] } });
    }
  });
});

describe('PUT /roles/edit', () => {
  it('renames a role; its people see the name when their session is refreshed [DECISIONS §13]', async () => {
    const id = await makeRole('Nursing', ['tenants.read']);
    const { accessToken, refreshToken } = await signInNew('Nursing');
    expect(await rename(id, 'Nurses')).toMatchObject({ status: 200, message: 'Success! Role has been updated.' });
    expect(await findRole('Nurses')).toMatchObject({ id, users: 1, version: 2 });
    const body = { accessToken, refreshToken };
    const refreshed = await test.call(authRoutes.refresh, { body, token: null });
    expect(refreshed.status).toBe(200);
    const me = await test.call(authRoutes.me, { token: refreshed.result.accessToken });
    expect(me.result.role).toBe('Nurses');
    expect((await auditOf(test, id)).at(-1)).toEqual({
      action: 'roles.rename',
      entity: 'roles',
      changes: { roleName: ['Nursing', 'Nurses'], version: [1, 2] },
    });
  });

  it('refuses an edit that began before another one, and names what changed [DECISIONS §13]', async () => {
    const id = await makeRole('First name');
    await rename(id, 'Second name', { version: 1 });
    const stale = await rename(id, 'Third name', { version: 1 });
    const changes = [{ field: 'roleName', before: 'First name', after: 'Second name' }];
    expect(stale).toMatchObject({ status: 409, title: 'Changed meanwhile', result: { version: 2, changes } });
    expect((await rename(id, 'Third name', { version: 2 })).status).toBe(200);
  });

  it('accepts another case of the same name, and refuses one that is used [DECISIONS §13]', async () => {
    const id = await makeRole('Pharmacy');
    expect((await rename(id, 'PHARMACY')).status).toBe(200);
    const taken = FIELD(409, 'roleName', 'A role with this name exists already.');
    expect(await rename(id, 'operator')).toMatchObject(taken);
    expect(await rename(randomUUID(), 'Nobody')).toMatchObject({ status: 404, message: 'There is no such role.' });
  });
});

describe('DELETE /roles/delete', () => {
  it('gives its people the named role, ends their sessions, and audits all of it [DECISIONS §13]', async () => {
    const id = await makeRole('Closing', ['faqs.read']);
    const person = await signInNew('Closing');
    const gone = await insertAccount(test, { role: 'Closing' });
    expect((await test.call(userRoutes.delete, { query: { id: gone.id } })).status).toBe(200);
    const viewerId = await idOf('Viewer');
    expect(await remove(id, viewerId)).toMatchObject({ status: 200, result: { id, moved: 1 } });
    expect(await findRole('Closing')).toBeUndefined();
    expect(await userRow(person.id)).toMatchObject({ roleId: viewerId, version: 2 });
    expect((await userRow(gone.id)).roleId).toBe(viewerId);
    expect((await test.call(authRoutes.me, { token: person.accessToken })).status).toBe(401);
    const changes = { roleId: [id, viewerId], version: [1, 2] };
    expect((await auditOf(test, person.id)).at(-1)).toEqual({ action: 'users.edit', entity: 'users', changes });
    expect((await auditOf(test, id)).at(-1)).toEqual({
      action: 'roles.delete',
      entity: 'roles',
      changes: { roleName: 'Closing', permissions: ['faqs.read'], movedTo: 'Viewer', moved: 1 },
    });
  });

  it('says how many views that were shared with it are left to their owners [§2.26] [DECISIONS §13]', async () => {
    const viewerId = await idOf('Viewer');
    const share = async (roleId: string, name: string) => {
      const body = { list: 'tenants', name, query: 'sortColumn=code', roleId };
      expect((await test.call(viewRoutes.create, { body })).status).toBe(200);
    };
    const [one, two, none] = [await makeRole('One view'), await makeRole('Two views'), await makeRole('No view')];
    await share(one, 'First');
    await share(two, 'Second');
    await share(two, 'Third');
    const messageOf = async (id: string) => (await remove(id, viewerId)).message;
    expect(await messageOf(one)).toBe(
      "Success! Role has been deleted. 1 view that was shared with it is its owner's alone now.",
    );
    expect(await messageOf(two)).toBe(
      "Success! Role has been deleted. 2 views that were shared with it are their owners' alone now.",
    );
    expect(await messageOf(none)).toBe('Success! Role has been deleted.');
    expect((await auditOf(test, two)).at(-1)?.changes).toMatchObject({ unsharedViews: 2 });
  });

  it('refuses to go on without another role for its people [DECISIONS §13]', async () => {
    const id = await makeRole('Kept');
    const message = 'Choose a role other than the deleted one.';
    expect(await remove(id, id)).toMatchObject(FIELD(400, 'moveTo', message));
    expect(await remove(id, id.toUpperCase())).toMatchObject(FIELD(400, 'moveTo', message));
    expect(await remove(id, randomUUID())).toMatchObject(FIELD(400, 'moveTo', 'This role is unknown.'));
    expect(await remove(id, '')).toMatchObject(FIELD(400, 'moveTo', 'Choose the role that its people get'));
    expect(await remove(randomUUID(), id)).toMatchObject({ status: 404 });
    expect(await findRole('Kept')).toMatchObject({ id });
  });

  it('refuses a role that the settings of a provider give, as renaming does [DECISIONS §13]', async () => {
    const id = await makeRole('Ward staff');
    oidcProviders.push(
      providerSettings('http://127.0.0.1:9', { roles: { admins: 'Administrator', staff: 'ward STAFF' } }),
    );
    onTestFinished(() => {
      oidcProviders.pop();
    });
    const refused = (what: string) => ({
      status: 409,
      title: 'Protected',
      message: `The settings of 'Clinic' give 'Ward staff' to who signs in there: it cannot be ${what}.`,
    });
    expect(await rename(id, 'Nurses')).toMatchObject(refused('renamed'));
    expect(await remove(id, await idOf('Viewer'))).toMatchObject(refused('deleted'));
    expect(await findRole('Ward staff')).toMatchObject({ id });
  });

  it('refuses it however the accents of its name are typed in the settings [DECISIONS §13]', async () => {
    const id = await makeRole('Infirmi\u00e8re');
    oidcProviders.push(providerSettings('http://127.0.0.1:9', { roles: { staff: 'INFIRMIE\u0300RE' } }));
    onTestFinished(() => {
      oidcProviders.pop();
    });
    expect(await rename(id, 'Ward nurses')).toMatchObject({ status: 409, title: 'Protected' });
    expect(await findRole('Infirmi\u00e8re')).toMatchObject({ id });
  });

  it(`moves ${PEOPLE} people at once [DECISIONS §13]`, async () => {
    const id = await makeRole('Crowd');
    const viewerId = await idOf('Viewer');
    await sql`
      insert into users (user_name, first_name, last_name, role_id)
      select 'crowd' || n, 'Pat', 'Doe', ${id} from generate_series(1, ${PEOPLE}::integer) n`.execute(
      test.context.platform,
    );
    const { id: personId } = await insertAccount(test, { role: 'Crowd' });
    const sent = vi.spyOn(pg.Query.prototype, 'submit');
    onTestFinished(() => sent.mockRestore());
    expect(await remove(id, viewerId)).toMatchObject({ status: 200, result: { moved: PEOPLE + 1 } });
    // With a statement for each of them, thousands would take longer than a call may.
    expect(sent.mock.calls.length).toBeLessThan(PEOPLE);
    const changes = { roleId: [id, viewerId], version: [1, 2] };
    expect(await auditOf(test, personId)).toEqual([expect.objectContaining({ action: 'users.edit', changes })]);
    const { platform, keys } = test.context;
    expect(await verifyAudit(platform, keys.audit)).toEqual({ entries: expect.any(Number) });
  });

  it('changes nothing when it cannot be finished [DECISIONS §13]', async () => {
    const id = await makeRole('Unfinished', ['faqs.read']);
    const person = await insertAccount(test, { role: 'Unfinished' });
    const { platform } = test.context;
    await sql`create function refuse_deletion() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
      platform,
    );
    await sql`create trigger refuse before delete on roles for each row execute function refuse_deletion()`.execute(
      platform,
    );
    const answer = await remove(id, await idOf('Viewer'));
    await sql`drop function refuse_deletion() cascade`.execute(platform);
    expect(answer.status).toBe(500);
    expect(await userRow(person.id)).toMatchObject({ roleId: id, version: 1 });
    expect(await auditOf(test, person.id)).toEqual([]);
    expect(await findRole('Unfinished')).toMatchObject({ users: 1, permissionIds: [expect.any(String)] });
  });

  const GIVE = {
    'a new user': (userName: string, role: string) => test.call(userRoutes.create, { body: userInput(userName, role) }),
    'an edit of a user': async (userName: string, role: string) => {
      const account = await insertAccount(test, { userName });
      return test.call(userRoutes.edit, { body: { ...editedUser(userName, role), id: account.id } });
    },
  };
  it.each(Object.entries(GIVE))(
    `against %s who is given the role: nobody is left without one, ${ROUNDS} times [DECISIONS §13]`,
    async (kind, give) => {
      const viewerId = await idOf('Viewer');
      const { platform } = test.context;
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await makeRole(`${kind} ${round}`);
        const userName = `${kind.length}-${round}`;
        const calls = [() => give(userName, id), () => remove(id, viewerId)];
        const [first, second] = round % 2 ? calls : calls.toReversed();
        const begun = first?.();
        // Each is once through before the other, however the two meet afterwards.
        if (round < 2) await begun;
        const answers = await Promise.all([begun, second?.()]);
        const [given, removed] = round % 2 ? answers : answers.toReversed();
        expect(removed?.status).toBe(200);
        if (round < 2) expect(given?.status).toBe(round === 1 ? 200 : 400);
        const row = await platform
          .selectFrom('users')
          .select('roleId')
          .where('userName', '=', userName)
          .executeTakeFirst();
        if (given?.status === 200) expect(row?.roleId).toBe(viewerId);
        else expect(given).toMatchObject(FIELD(400, 'roleId', 'This User Role is unknown.'));
        expect(row?.roleId ?? viewerId).toBe(viewerId);
      }
    },
  );

  it('waits for a view that is shared with it before others wait for the audit trail: both go on [DECISIONS §13]', async () => {
    const id = await makeRole('Of a view');
    await insertAccount(test, { role: 'Of a view' });
    const target = await idOf('Viewer');
    // As the foreign key of the view locks it.
    const role = sql`select from roles where id = ${id}::uuid for key share`;
    expect(await meetAtRow(test, role, () => remove(id, target))).toMatchObject({ status: 200, result: { moved: 1 } });
  });

  it(`of two that are deleted into each other at once one stays, ${ROUNDS} times [DECISIONS §13]`, async () => {
    const person = await insertAccount(test);
    const { platform } = test.context;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = [await makeRole(`One ${round}`), await makeRole(`Other ${round}`)];
      await platform.updateTable('users').set({ roleId: one }).where('id', '=', person.id).execute();
      const answers = await Promise.all([remove(one, other), remove(other, one)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect((await userRow(person.id)).roleId).toBe(answers[0]?.status === 200 ? other : one);
    }
  });
});

describe('the seeded roles', () => {
  it.each(['Administrator', 'Operator', 'Viewer'])(
    '%s is neither renamed nor deleted [DECISIONS §13]',
    async (name) => {
      const id = await idOf(name);
      const message = (what: string) => ({
        status: 409,
        title: 'Protected',
        message: `'${name}' is built in: it cannot be ${what}.`,
      });
      expect(await rename(id, 'Other')).toMatchObject(message('renamed'));
      expect(await remove(id, await idOf('Viewer'))).toMatchObject(message('deleted'));
    },
  );
});

describe('who may not do it all', () => {
  it('gives nobody what they lack, and changes no role that may do more [DECISIONS §13]', async () => {
    const own = ['permissions.read', 'permissions.write', 'faqs.read'];
    await makeRole('Deputy', own);
    const weak = await makeRole('Weak', ['faqs.read']);
    const strong = await makeRole('Strong', ['faqs.read', 'tenants.delete']);
    const { id: callerId, accessToken } = await signInNew('Deputy');
    const lacks = LACKS('tenants.delete');
    expect(await create('Strong copy', { copyOf: strong }, accessToken)).toMatchObject(lacks);
    expect(await rename(strong, 'Stronger', {}, accessToken)).toMatchObject(lacks);
    expect(await remove(strong, weak, accessToken)).toMatchObject(lacks);
    expect(await remove(weak, strong, accessToken)).toMatchObject(lacks);
    expect(await remove(weak, await idOf('Administrator'), accessToken)).toMatchObject({ status: 403 });
    expect(await countRefusals(callerId)).toBe(5);
    const names = (await listRoles()).map(({ roleName }) => roleName);
    expect(names).toEqual(expect.arrayContaining(['Weak', 'Strong']));
    expect(names).not.toContain('Strong copy');
    expect((await create('Weak copy', { copyOf: weak }, accessToken)).status).toBe(200);
    expect((await remove(weak, await idOf('Weak copy'), accessToken)).status).toBe(200);
  });

  it('says of no role that may do more whether it needs a second factor, nor does a key [DECISIONS §13]', async () => {
    const weak = await makeRole('Weak of factors', ['faqs.read']);
    await makeRole('Deputy of factors', ['permissions.read', 'permissions.write', 'faqs.read']);
    const { id: callerId, accessToken } = await signInNew('Deputy of factors');
    const administrator = await administratorIdOf(test);
    const { key } = await useApiKeys(test).issued(undefined, { scopes: ['permissions.write'] });
    const need = (id: string, required: boolean, token?: string) =>
      test.call(roleFactorRoutes.setRequired, { body: { id, required }, ...(token && { token }) });
    const id = await idOf('Administrator');
    const refusedBefore = await countRefusals(administrator);
    for (const token of [accessToken, key]) {
      expect(await need(id, true, token)).toMatchObject(LACKS('dashboard.read'));
      expect(await need(id, false, token)).toMatchObject(LACKS('dashboard.read'));
    }
    expect(await countRefusals(callerId)).toBe(2);
    expect((await countRefusals(administrator)) - refusedBefore).toBe(2);
    expect((await findRole('Administrator'))?.requiresSecondFactor).toBe(false);
    expect((await need(weak, true, accessToken)).status).toBe(200);
    expect((await findRole('Weak of factors'))?.requiresSecondFactor).toBe(true);
  });

  it('does not delete their own role [DECISIONS §13]', async () => {
    const id = await makeRole('Own', ['permissions.read', 'permissions.write']);
    const other = await makeRole('Other own');
    const { accessToken } = await signInNew('Own');
    const refused = { status: 409, message: 'You cannot delete your own user role.' };
    expect(await remove(id, other, accessToken)).toMatchObject(refused);
    expect((await remove(id, other)).status).toBe(200);
  });

  it('may take from their own role, but never from the Administrator [DECISIONS §13]', async () => {
    const id = await makeRole('Self', ['permissions.read', 'permissions.write']);
    const { accessToken: token } = await signInNew('Self');
    const body = { roleId: id, permissionIds: [] };
    expect((await test.call(roleRoutes.editPermissions, { body, token })).status).toBe(200);
    expect((await test.call(roleRoutes.editPermissions, { body, token })).status).toBe(403);
    const administrator = { roleId: await idOf('Administrator'), permissionIds: [] };
    expect((await test.call(roleRoutes.editPermissions, { body: administrator })).status).toBe(409);
    expect((await test.call(authRoutes.me, {})).result.id).toBe(await administratorIdOf(test));
  });
});

describe('a permission or menu for roles at once', () => {
  const make = (body: object, token?: string) => test.call(permissionRoutes.create, { body, ...(token && { token }) });
  const havingRoles = async (permissionId: string) =>
    (await listRoles())
      .filter(({ permissionIds }) => permissionIds.includes(permissionId))
      .map(({ roleName }) => roleName);

  it('goes to the roles that are named, and to the Administrator [DECISIONS §13]', async () => {
    const id = await makeRole('Given');
    const roleIds = [id, id.toUpperCase(), await idOf('Viewer'), await idOf('Administrator')];
    for (const body of [permissionInput('For some', { roleIds }), menuInput('MenuForSome', { roleIds })]) {
      expect((await make(body)).status).toBe(200);
      expect(await havingRoles(body.id)).toEqual(['Administrator', 'Given', 'Viewer']);
      const [entry] = await auditOf(test, body.id);
      expect(entry?.changes).toMatchObject({ roles: ['Administrator', 'Given', 'Viewer'] });
    }
  });

  it('is refused for an unknown role, and from those who do not get it themselves [DECISIONS §13]', async () => {
    const unknown = permissionInput('For none', { roleIds: [randomUUID()] });
    expect(await make(unknown)).toMatchObject(FIELD(400, 'roleIds', 'This role is unknown.'));
    const roleIds = [await makeRole('Makers', ['permissions.read', 'permissions.write'])];
    const { accessToken, id } = await signInNew('Makers');
    const body = permissionInput('For ourselves', { identifier: 'rx.ourselves', roleIds });
    expect(await make(body, accessToken)).toMatchObject({
      status: 403,
      message: "You do not have the permission 'rx.ourselves'.",
    });
    expect(await countRefusals(id)).toBe(1);
    expect(await havingRoles(body.id)).toEqual([]);
    expect((await make({ ...body, roleIds: [] }, accessToken)).status).toBe(200);
    expect(await havingRoles(body.id)).toEqual(['Administrator']);
  });
});
