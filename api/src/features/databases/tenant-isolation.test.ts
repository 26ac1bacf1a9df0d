import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { processIdOf } from '../../db/connections/watch.ts';
import { migrateTenantDatabase } from '../../db/migrate.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { createEmptyDatabase, withClient } from '../../testing/databases.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { queryTenant } from '../../testing/tenant-query.ts';
import { limitConnections, startUpgrades } from './database-upkeep.ts';
import { connectionStringOf, getDatabaseByName } from './databases.service.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });

beforeAll(async () => {
  for (const code of ['HOSTILE', 'PEACEFUL']) await test.call(tenantRoutes.create, { body: tenantInput(code) });
});

const details = (databaseName: string) => test.call(databaseRoutes.details, { query: { databaseName } });
/** The connection string of a tenant's own programs. */
const urlOf = async (name: string) => connectionStringOf(test.context, await getDatabaseByName(test.context, name));
const query = (text: string) => withClient(test.databaseUrl, (client) => client.query(text));

describe("a tenant's role", () => {
  it('cannot open more connections than its limit, and others still can [DECISIONS §6]', async () => {
    const connectionString = await urlOf('HOSTILE');
    const clients: pg.Client[] = [];
    let refusal: unknown;
    while (refusal === undefined && clients.length < 100) {
      const client = new pg.Client({ connectionString });
      await client.connect().then(
        () => clients.push(client),
        (error: unknown) => {
          refusal = error;
        },
      );
    }
    expect(clients).toHaveLength(test.context.tenantConnections);
    expect(refusal).toMatchObject({ code: '53300', message: expect.stringContaining('too many connections for role') });
    for (const name of ['HOSTILE', 'PEACEFUL']) expect(await details(name)).toMatchObject({ status: 200 });
    await Promise.all(clients.map((client) => client.end()));
  });

  it('has its limit of connections in every kind of database [DECISIONS §6]', async () => {
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'PEACEFUL', databaseName: 'CLONED' } });
    const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'PEACEFUL' } });
    const restored = { id: result.id, databaseName: 'RESTORED' };
    expect(await test.call(backupRoutes.restore, { query: restored })).toMatchObject({ status: 200 });
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'PEACEFUL', databaseName: 'FOUND' } });
    const { physicalName } = await getDatabaseByName(test.context, 'FOUND');
    await query(`alter role ${physicalName} connection limit -1; delete from databases where name = 'FOUND'`);
    const found = { kind: 'database-without-owner', subject: physicalName };
    expect(await test.call(reconciliationRoutes.fix, { query: found })).toMatchObject({ status: 200 });
    expect(await limits()).toEqual([20]);
  });

  it('cannot take advisory locks, so others do not run out of them [DECISIONS §6]', async () => {
    await withClient(await urlOf('HOSTILE'), async (client) => {
      const all = 'do $$ begin for key in 1 .. 400000 loop perform pg_advisory_lock(key); end loop; end $$';
      await expect(client.query(all)).rejects.toMatchObject({ code: '42501' });
      for (const name of ['HOSTILE', 'PEACEFUL']) expect(await details(name)).toMatchObject({ status: 200 });
      const held = "select from pg_locks where locktype = 'advisory' and pid = $1";
      expect((await test.context.pool.query(held, [processIdOf(client)])).rowCount).toBe(0);
    });
  });

  it('cannot make large objects, which would prevent its deletion [DECISIONS §6]', async () => {
    const making = "select lo_from_bytea(0, '')";
    await expect(withClient(await urlOf('HOSTILE'), (client) => client.query(making))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('cannot call these functions after the upgrade of a database in which it could [DECISIONS §6]', async () => {
    const old = await createEmptyDatabase();
    await migrateTenantDatabase(old.url, 9);
    await withClient(old.url, (client) =>
      client.query(`
        grant execute on function pg_advisory_lock(bigint), pg_try_advisory_xact_lock_shared(int, int) to public;
        grant execute on function lo_creat(int), loread(int, int) to public;
        grant create on schema public to public`),
    );
    await migrateTenantDatabase(old.url);
    expect(await withClient(old.url, openToPublic)).toEqual([]);
    await old.drop();
  });

  it('cannot call them in a copy or in a restored database [DECISIONS §6]', async () => {
    for (const name of ['PEACEFUL', 'CLONED', 'RESTORED']) {
      expect(await withClient(await urlOf(name), openToPublic), name).toEqual([]);
    }
  });

  it('has its rights without a group, in every kind of database, and cannot act as another role [DECISIONS §6]', async () => {
    for (const name of ['HOSTILE', 'PEACEFUL', 'CLONED', 'RESTORED']) {
      await withClient(await urlOf(name), async (client) => {
        await client.query("insert into locations (code, name, kind) values ('X', 'X', 'room')");
        await client.query('truncate wslogs; select from apotheca.permissions');
        await expect(client.query('set role apotheca_tenant'), name).rejects.toMatchObject({ code: '42501' });
      });
    }
    expect(await members()).toBe(0);
  });

  it('has no rights in a copy of its database, and can be deleted while the copy stays [DECISIONS §6]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('SHORT LIVED') });
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'SHORT LIVED', databaseName: 'OUTLIVES' } });
    const { roleName, tenantId } = await getDatabaseByName(test.context, 'SHORT LIVED');
    const rights = `select 1 from pg_class where relnamespace in ('public'::regnamespace, 'apotheca'::regnamespace)
      and has_any_column_privilege($1, oid, 'select')`;
    expect(await queryTenant(test, 'OUTLIVES', rights, [roleName])).toEqual([]);
    const deletion = { query: { id: tenantId ?? '' } };
    expect(await test.call(tenantRoutes.delete, deletion)).toMatchObject({ status: 200 });
    await withClient(await urlOf('OUTLIVES'), (client) => client.query('delete from locations'));
  });

  it('can be deleted before the database that a restore has replaced is dropped [DECISIONS §8]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('REPLACED') });
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'REPLACED', databaseName: 'LEFT OVER' } });
    const { roleName, tenantId } = await getDatabaseByName(test.context, 'REPLACED');
    const { physicalName } = await getDatabaseByName(test.context, 'LEFT OVER');
    // As after a restore that was killed after the swap.
    await queryTenant(test, 'LEFT OVER', `grant select on public.patients to ${roleName}`);
    await query("update databases set state = 'deleting' where name = 'LEFT OVER'");
    const deletion = { query: { id: tenantId ?? '' } };
    expect(await test.call(tenantRoutes.delete, deletion)).toMatchObject({ status: 200 });
    expect((await query(`select from pg_roles where rolname = '${roleName}'`)).rowCount).toBe(0);
    expect((await query(`select from pg_database where datname = '${physicalName}'`)).rowCount).toBe(0);
  });

  it('of an earlier version leaves the group of all tenants when its database is upgraded [DECISIONS §7]', async () => {
    const { id, roleName } = await getDatabaseByName(test.context, 'PEACEFUL');
    await query(`grant apotheca_tenant to ${roleName}`);
    await query(`update databases set schema_version = 9 where id = '${id}'`);
    await queryTenant(test, 'PEACEFUL', 'delete from apotheca.schema_version where version > 9');
    await queryTenant(test, 'PEACEFUL', `revoke all on all tables in schema public, apotheca from ${roleName}`);
    await queryTenant(test, 'PEACEFUL', `revoke all on schema public, apotheca from ${roleName}`);
    expect(await startUpgrades(test.context, new Date(0))).toBe(1);
    await operationsEnded(test.databaseUrl);
    expect(await members()).toBe(0);
    await withClient(await urlOf('PEACEFUL'), (client) => client.query('delete from locations'));
  });

  it("cannot connect to the embedded server's own databases [DECISIONS §6]", async () => {
    for (const name of ['postgres', 'template1']) {
      const entering = withClient(withDatabaseName(await urlOf('HOSTILE'), name), async () => {});
      await expect(entering, name).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('gets its new limit of connections when the setting changes [DECISIONS §2]', async () => {
    const { roleName } = await getDatabaseByName(test.context, 'PEACEFUL');
    await query(`alter role ${roleName} connection limit -1`);
    expect(await limits()).toEqual([-1, 20]);
    await limitConnections(test.context);
    expect(await limits()).toEqual([20]);
  });
});

/** The connection limits of the registry's roles. */
async function limits(): Promise<number[]> {
  const { rows } = await query(
    'select distinct rolconnlimit from pg_roles join databases on role_name = rolname order by 1',
  );
  return rows.map(({ rolconnlimit }) => rolconnlimit);
}

/** How many of the registry's roles are in the group of all tenants. */
async function members(): Promise<number> {
  const { rowCount } = await query(`
    select from pg_auth_members m join pg_roles r on r.oid = m.member join databases on role_name = rolname
    where m.roleid = 'apotheca_tenant'::regrole`);
  return rowCount ?? 0;
}

/** The functions for advisory locks and large objects that PUBLIC may call, and the schema `public` when PUBLIC may create in it. */
async function openToPublic(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select oid::regprocedure::text as name from pg_proc
    where (proname like '%advisory%lock%' or proname like 'lo\\_%' or proname in ('loread', 'lowrite'))
      and has_function_privilege('public', oid, 'execute')
    union all
    select nspname from pg_namespace where nspname = 'public' and has_schema_privilege('public', oid, 'create')`);
  return rows.map(({ name }) => name);
}

describe('an administrator who is no superuser', () => {
  it('makes and upgrades databases too, and revokes CREATE on public [DECISIONS §2]', async () => {
    await query("create role plain_admin login password 'plain' createdb createrole");
    const url = new URL(withDatabaseName(test.databaseUrl, 'made_plainly'));
    url.username = 'plain_admin';
    url.password = 'plain';
    await query('create database made_plainly template template0 owner plain_admin');
    await migrateTenantDatabase(url.href);
    const open = await withClient(url.href, openToPublic);
    expect(open).toContain('pg_advisory_lock(bigint)');
    expect(open).not.toContain('public');
    await query('drop database made_plainly');
    await query('drop role plain_admin');
  });
});
