import { randomBytes } from 'node:crypto';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it, vi } from 'vitest';
import { withDatabaseLock } from '../../db/cluster/database-lock.ts';
import { atHome } from '../../db/cluster/session.ts';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { patiently } from '../../testing/patiently.ts';
import { connectionStringOf, getDatabaseByName } from '../databases/databases.service.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

const create = (code: string) =>
  test.call(tenantRoutes.create, { body: tenantInput(code, { customerCode: 'Clinic' }) });
const duplicate = (copyFrom: string, code: string) =>
  test.call(databaseRoutes.copy, { query: { copyFrom, tenantCode: code, databaseName: code, isCreateTenant: 'true' } });
const deleteIt = (id: string) => test.call(tenantRoutes.delete, { query: { id } });
const registered = (code: string) => getDatabaseByName(test.context, code);
const asTenant = async (code: string) => connectionStringOf(test.context, await registered(code));
const asAdministrator = async (code: string) =>
  withDatabaseName(test.databaseUrl, (await registered(code)).physicalName);
const inCluster = (kind: 'database' | 'roles', name: string) =>
  withClient(test.databaseUrl, async (client) => {
    const column = kind === 'database' ? 'datname' : 'rolname';
    return (await client.query(`select ${column} from pg_${kind} where ${column} = $1`, [name])).rowCount === 1;
  });

/** What a role may do with the schemas, tables, sequences and routines of a tenant's database. */
const rightsIn = async (code: string, role: string): Promise<string[]> =>
  withClient(await asAdministrator(code), async (client) => {
    const { rows } = await client.query<{ what: string }>(
      `select concat_ws(' ', object, privilege_type) as what
       from (
         select n.nspname::text as object, n.nspacl as acl from pg_namespace n
         union all select c.oid::regclass::text, c.relacl from pg_class c
         union all select p.oid::regprocedure::text, p.proacl from pg_proc p
       ) of_all cross join aclexplode(acl) join pg_roles r on r.oid = grantee
       where r.rolname = $1
       order by what`,
      [role],
    );
    return rows.map(({ what }) => what);
  });

describe('a tenant and its database', () => {
  it('are created at once where a kill has cut an earlier attempt off, and not while that goes on [DECISIONS §6]', async () => {
    await create('CUT-OFF');
    const { id, tenantId } = await registered('CUT-OFF');
    const { platform, utility } = test.context;
    await platform.updateTable('databases').set({ state: 'creating' }).where('id', '=', id).execute();
    await utility.connection().execute((connection) =>
      withDatabaseLock(atHome(connection), id, async () => {
        expect(await create('CUT-OFF')).toMatchObject({ status: 409, title: 'Already exists' });
      }),
    );
    const body = tenantInput('CUT-OFF', { customerCode: 'Clinic' });
    const headers = { 'idempotency-key': 'cut-off' };
    const [once, again] = await Promise.all([1, 2].map(() => test.call(tenantRoutes.create, { body, headers })));
    expect(once).toMatchObject({ status: 200, result: { id: expect.any(String) } });
    expect(again?.result).toEqual(once?.result);
    expect((await registered('CUT-OFF')).tenantId).toBe(once?.result.id);
    const entries = await platform
      .selectFrom('auditEntries')
      .select('action')
      .where('entityId', '=', tenantId)
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['tenants.create', 'tenants.creation-undone']);
  });

  it('are created with 37 tables that the tenant’s own role can use [§3]', async () => {
    await create('TABLES');
    const tables = await withClient(await asTenant('TABLES'), async (client) => {
      await client.query("insert into locations (code, name, kind) values ('F', 'Front desk', 'clinic')");
      const { rows } = await client.query(
        "select table_name from information_schema.tables where table_schema = 'public' order by 1",
      );
      return rows.map((row) => row.table_name);
    });
    expect(tables).toEqual([...TENANT_TABLE_NAMES].sort());
  });

  it('have the rights of all tenants, given to their own role only, in every one that is created [§1]', async () => {
    for (const code of ['RIGHTS1', 'RIGHTS2', 'RIGHTS3']) await create(code);
    const [group, ...tenants] = await Promise.all([
      rightsIn('RIGHTS1', 'apotheca_tenant'),
      ...['RIGHTS1', 'RIGHTS2', 'RIGHTS3'].map(async (code) => rightsIn(code, (await registered(code)).roleName)),
    ]);
    expect(group?.length).toBeGreaterThan(TENANT_TABLE_NAMES.length);
    for (const rights of tenants) expect(rights).toEqual(group);
    const stranger = (await registered('RIGHTS1')).roleName;
    expect(await rightsIn('RIGHTS2', stranger)).toEqual([]);
  });

  it("cannot be opened with another tenant's credentials [§1]", async () => {
    await create('ALPHA');
    await create('BETA');
    const strangers = new URL(await asTenant('ALPHA'));
    strangers.pathname = new URL(await asTenant('BETA')).pathname;
    const connect = (url: string) => withClient(url, (client) => client.query('select 1'));
    await expect(connect(strangers.href)).rejects.toMatchObject({ code: '42501' });
    await expect(connect(await asTenant('ALPHA'))).resolves.toBeDefined();
  });

  it('are separate for two codes with the same first 63 characters; deleting one keeps the other [§5]', async () => {
    const [one, two] = ['1', '2'].map((end) => 'LONGCODE'.repeat(12).padEnd(99, 'X') + end) as [string, string];
    const first = await create(one);
    await create(two);
    await withClient(await asTenant(two), (client) =>
      client.query("insert into locations (code, name, kind) values ('K', 'Kept', 'clinic')"),
    );
    expect(await deleteIt(first.result.id)).toMatchObject({ status: 200 });
    const { rowCount } = await withClient(await asTenant(two), (client) => client.query('select from locations'));
    expect(rowCount).toBe(1);
  });

  it('are created once when 50 calls create the same code at once [§7.2]', async () => {
    // The name of no other tenant: tests that run at the same time have databases in the same cluster.
    const code = `RACE${randomBytes(4).toString('hex').toUpperCase()}`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => patiently(() => create(code))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    const slugs = await withClient(test.databaseUrl, (client) =>
      client.query('select datname from pg_database where datname like $1', [`db\\_%\\_${code.toLowerCase()}`]),
    );
    expect(slugs.rowCount).toBe(1);
  });

  it('leave nothing when the database cannot be created [§4]', async () => {
    const { home } = test.context.clusters;
    const template = vi.spyOn(home, 'template').mockResolvedValue('apotheca_template_of_nothing');
    expect(await create('FAILS')).toMatchObject({ status: 409 });
    template.mockRestore();
    expect(await create('FAILS')).toMatchObject({ status: 200 });
    expect(
      (await test.call(tenantRoutes.list)).result.filter(({ code }: { code: string }) => code === 'FAILS'),
    ).toHaveLength(1);
  });
});

describe('PUT /tenant/delete', () => {
  it.each([
    ['that keeps a change of its role open', 'HELD', "alter role current_user password 'mine'"],
    ['in a database that lets every role connect', 'HELD-ELSEWHERE', 'create temporary table held ()', 'lets_all_in'],
  ])('ends a session %s [§2.9]', async (_, code, statement, place?: string) => {
    const { result } = await create(code);
    const { roleName, physicalName } = await registered(code);
    const query = (text: string) => withClient(test.databaseUrl, (client) => client.query(text));
    if (place) await query(`create database ${place}`);
    await withClient(withDatabaseName(await asTenant(code), place ?? physicalName), async (client) => {
      client.on('error', () => {});
      const isEnded = new Promise((fulfil) => client.once('end', fulfil));
      await client.query(`begin; ${statement}`);
      expect(await deleteIt(result.id)).toMatchObject({ status: 200 });
      await isEnded;
    });
    expect(await inCluster('roles', roleName)).toBe(false);
    if (place) await query(`drop database ${place}`);
  });

  it('deletes database, role and rows although a session is open; the audit entry stays [§2.9]', async () => {
    const { result } = await create('DELETED');
    const { physicalName } = await registered('DELETED');
    await withClient(await asTenant('DELETED'), async (client) => {
      client.on('error', () => {});
      expect(await deleteIt(result.id)).toMatchObject({ status: 200, message: 'Successfully deleted tenant.' });
    });
    expect(await inCluster('database', physicalName)).toBe(false);
    expect(await inCluster('roles', physicalName)).toBe(false);
    expect((await test.call(tenantRoutes.list)).result.map(({ code }: { code: string }) => code)).not.toContain(
      'DELETED',
    );
    const entry = await test.context.platform
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'tenants.delete')
      .where('entityId', '=', result.id)
      .executeTakeFirst();
    expect(entry).toMatchObject({ changes: { code: 'DELETED' } });
  });

  it('happens once when ten calls ask at once [§7.2]', async () => {
    const { result } = await create('DELETEONCE');
    const answers = await Promise.all(Array.from({ length: 10 }, () => deleteIt(result.id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    // The others are told that it is being deleted or is gone.
    expect(statuses.slice(1).every((status) => status === 409 || status === 404)).toBe(true);
  });

  it('frees the code [§2.9]', async () => {
    const { result } = await create('AGAIN');
    await deleteIt(result.id);
    expect(await create('AGAIN')).toMatchObject({ status: 200 });
  });
});

describe('GET /managedatabase/copydatabase with isCreateTenant', () => {
  it('copies fields and rows under the new code while the source has sessions [§2.10]', async () => {
    const fields = { city: 'Everett', licenseCount: 7, subdomain: 'source' };
    await test.call(tenantRoutes.create, { body: tenantInput('SOURCE', fields) });
    await withClient(await asTenant('SOURCE'), async (client) => {
      client.on('error', () => {});
      await client.query(
        "insert into locations (code, name, kind) values ('A', 'Clinic A', 'clinic'), ('B', 'Clinic B', 'clinic')",
      );
      expect(await duplicate('SOURCE', 'source2')).toMatchObject({ status: 200, result: { databaseName: 'SOURCE2' } });
    });
    const rows = (await test.call(tenantRoutes.list)).result;
    expect(rows.find(({ code }: { code: string }) => code === 'SOURCE2')).toMatchObject({
      city: 'Everett',
      licenseCount: 7,
      databaseName: 'SOURCE2',
      subdomain: '',
    });
    // Programs still find the source by it.
    expect((await test.call(credentialRoutes.resolve, { query: { subdomain: 'source' } })).result.code).toBe('SOURCE');
    const names = await withClient(await asTenant('SOURCE2'), (client) =>
      client.query('select name from locations order by id'),
    );
    expect(names.rows).toEqual([{ name: 'Clinic A' }, { name: 'Clinic B' }]);
    // The source accepts connections again.
    await expect(withClient(await asTenant('SOURCE'), (client) => client.query('select 1'))).resolves.toBeDefined();
  });

  it("gives the copy a role of its own, which the source's role cannot use [§2.10]", async () => {
    await create('ORIGIN');
    await duplicate('ORIGIN', 'COPY');
    const strangers = new URL(await asTenant('ORIGIN'));
    strangers.pathname = new URL(await asTenant('COPY')).pathname;
    await expect(withClient(strangers.href, (client) => client.query('select 1'))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('refuses a taken code or name, an unknown source and a missing code, naming the field [§5]', async () => {
    await create('FROM');
    const taken = ['A tenant with this code exists already.'];
    expect(await duplicate('FROM', 'from')).toMatchObject({ status: 409, errors: { tenantCode: taken } });
    expect(await duplicate('NOWHERE', 'TO')).toMatchObject({ status: 404, message: "There is no database 'NOWHERE'." });
    expect(await duplicate('FROM', '')).toMatchObject({
      status: 400,
      errors: { tenantCode: ['Tenant code is Required'] },
    });
    await expect(
      withClient(await asAdministrator('FROM'), (client) => client.query('select 1')),
    ).resolves.toBeDefined();
  });
});

describe('GET /dashboard/getcounts', () => {
  it('counts users, tenants and databases [§2.5]', async () => {
    const before = (await test.call(dashboardRoutes.getCounts)).result[0];
    await create('COUNTED');
    const [after] = (await test.call(dashboardRoutes.getCounts)).result;
    expect(after).toEqual({ ...before, tenants: before.tenants + 1, databases: before.databases + 1 });
  });
});
