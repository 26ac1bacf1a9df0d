import { readFileSync } from 'node:fs';
import { operationRoutes } from '@apotheca/contract/operations';
import { permissionRoutes, type TenantsSync, tenantsSync } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { whenUnused, withClient } from '../../testing/databases.ts';
import { queryTenant } from '../../testing/tenant-query.ts';
import { measureDatabases } from '../databases/database-upkeep.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';

const test = useTestApp();

const TENANTS = 200;
const PLATFORM_TABLES = new URL('../../db/migrations/tenant/000001-platform.sql', import.meta.url);
const codeOf = (n: number): string => `T${String(n).padStart(3, '0')}`;

/** Copies the tenant T000, in the registry and in the cluster, until there is the given number of tenants. */
async function copyTenants(): Promise<void> {
  const { platform } = test.context;
  await sql`
    create table copies as
    select n, gen_random_uuid() as tenant_id, 'T' || lpad(n::text, 3, '0') as code,
      'db_copy_' || n || '_' || ${process.pid}::text as physical_name
    from generate_series(1, ${TENANTS - 1}::integer) n`.execute(platform);
  await sql`
    insert into tenants
    select (jsonb_populate_record(t, jsonb_build_object('id', c.tenant_id, 'code', c.code))).*
    from tenants t, copies c where t.code = 'T000'`.execute(platform);
  await sql`
    insert into databases
    select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'tenant_id', c.tenant_id, 'name', c.code,
      'physical_name', c.physical_name, 'role_name', c.physical_name))).*
    from databases d, copies c where d.name = 'T000'`.execute(platform);
  const { rows } = await sql<{ name: string }>`select physical_name as name from copies`.execute(platform);
  await makeDatabases(rows.map(({ name }) => name));
  await sql`drop table copies`.execute(platform);
}

/** Tenants' databases that have nothing but the platform's own tables: a whole schema 200 times would take a minute. */
async function makeDatabases(names: readonly string[]): Promise<void> {
  const template = `small_${process.pid}`;
  const url = withDatabaseName(test.databaseUrl, 'postgres');
  // template0 may be in use: whoever copies it elsewhere is there.
  await whenUnused(() => withClient(url, (client) => client.query(`create database ${template} template template0`)));
  await withClient(withDatabaseName(url, template), (client) => client.query(readFileSync(PLATFORM_TABLES, 'utf8')));
  const waiting = names.values();
  const copy = () =>
    withClient(url, async (client) => {
      for (const name of waiting) await client.query(`create database ${name} template ${template} strategy file_copy`);
    });
  await Promise.all([copy(), copy(), copy(), copy()]);
  await withClient(url, (client) => client.query(`drop database ${template}`));
}

describe('POST /adminpermission/synctenants', () => {
  it('needs a token and its permission [§7.3]', async () => {
    expect(await test.call(permissionRoutes.syncTenants, { token: null })).toMatchObject({ status: 401 });
    const { token } = await test.signInAs('Operator');
    expect(await test.call(permissionRoutes.syncTenants, { token })).toMatchObject({ status: 403 });
  });

  it('has nothing to do without tenants [DECISIONS §10]', async () => {
    expect(await test.call(permissionRoutes.syncTenants)).toMatchObject({
      status: 200,
      message: 'Permissions synced for 0 tenants.',
      result: { tenants: [] },
    });
  });
});

/** Makes the sync of a tenant wait in a trigger, as a lock is waited for three seconds at most. @returns lets it go on */
async function holdPermissions(code: string): Promise<() => Promise<void>> {
  const { physicalName } = await getDatabaseByName(test.context, code);
  const client = new pg.Client({ connectionString: withDatabaseName(test.databaseUrl, physicalName) });
  await client.connect();
  await client.query(`
    create table public.gate as select true as is_closed;
    create function public.wait_at_gate() returns trigger language plpgsql as $$
    begin
      while exists (select from public.gate) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$;
    create trigger gate before delete on apotheca.permissions for each statement execute function public.wait_at_gate()`);
  return async () => {
    await client.query('delete from public.gate');
    await client.end();
  };
}

/** Waits for two more heartbeats of an operation: each checks for a cancellation. */
async function isToldToStop(id: string): Promise<void> {
  const beats = new Set<number>();
  await expect
    .poll(async () => {
      test.clock.advance(1);
      const row = await test.context.platform
        .selectFrom('operations')
        .select('heartbeatAt')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      beats.add(row.heartbeatAt?.getTime() ?? 0);
      return beats.size;
    })
    .toBeGreaterThan(3);
}

describe('200 tenants', () => {
  let connections = { now: 0, most: 0 };

  beforeAll(async () => {
    await test.call(tenantRoutes.create, { body: tenantInput(codeOf(0)) });
    await copyTenants();
    const { tenants } = test.context;
    test.context.tenants = {
      ...tenants,
      with: (name, work, options) =>
        tenants.with(
          name,
          async (client) => {
            connections.now += 1;
            connections.most = Math.max(connections.most, connections.now);
            try {
              return await work(client);
            } finally {
              connections.now -= 1;
            }
          },
          options,
        ),
    };
  });

  const syncAll = async (): Promise<{ message: string; result: TenantsSync }> => {
    connections = { now: 0, most: 0 };
    return test.call(permissionRoutes.syncTenants);
  };

  it('have their sizes measured in one round [§2.13]', async () => {
    const { platform } = test.context;
    await platform.updateTable('databases').set({ sizeBytes: null, measuredAt: null }).execute();
    await measureDatabases(test.context);
    const measured = await platform.selectFrom('databases').select('id').where('sizeBytes', '>', '5000000').execute();
    expect(measured).toHaveLength(TENANTS);
  });

  it('are synced a few at a time, each with an audit entry; those that fail are named [DECISIONS §10]', async () => {
    await queryTenant(test, codeOf(7), 'drop table apotheca.permissions');
    const { message, result } = await syncAll();
    expect(tenantsSync.parse(result)).toEqual(result);
    expect(message).toBe(
      'Permissions synced for 199 tenants; 1 failed: T007 (relation "apotheca.permissions" does not exist).',
    );
    expect(result.tenants.map(({ tenantCode }) => tenantCode)).toEqual(
      Array.from({ length: TENANTS }, (_, n) => codeOf(n)),
    );
    const failed = result.tenants.filter(({ problem }) => problem !== undefined);
    expect(failed).toEqual([
      { tenantId: expect.any(String), tenantCode: 'T007', problem: 'relation "apotheca.permissions" does not exist' },
    ]);
    const { count } = await test.context.platform
      .selectFrom('permissions')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    const added = result.tenants.flatMap(({ sync }) => (sync ? [sync.added] : []));
    expect(added).toEqual(Array.from({ length: TENANTS - 1 }, () => Number(count)));
    expect(await queryTenant(test, codeOf(199), 'select from apotheca.permissions')).toHaveLength(Number(count));
    expect(connections.most).toBe(4);
    const entries = test.context.platform
      .selectFrom('auditEntries')
      .select('entityId')
      .where('action', '=', 'permissions.sync');
    expect(new Set((await entries.execute()).map(({ entityId }) => entityId)).size).toBe(TENANTS - 1);
  });

  it('are synced in the background if the caller does not wait, and that can be cancelled between tenants [DECISIONS §8]', async () => {
    const { platform } = test.context;
    const countSynced = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from audit_entries where action = 'permissions.sync'`.execute(platform);
      return rows[0]?.count ?? 0;
    };
    const before = await countSynced();
    const held = [50, 51, 52, 53].map(codeOf);
    const letGo = await Promise.all(held.map(holdPermissions));
    const answer = await test.call(permissionRoutes.syncTenants, { headers: { prefer: 'respond-async' } });
    expect(answer).toMatchObject({ status: 202, result: { operationId: expect.any(String) } });
    const query = { id: answer.result.operationId };
    const get = async () => (await test.call(operationRoutes.get, { query })).result;
    await expect.poll(countSynced).toBe(before + 49);
    await expect.poll(async () => (await get()).percent).toBeGreaterThan(5);
    expect(await get()).toMatchObject({ kind: 'sync-tenants', databaseName: 'all tenants', state: 'running' });
    expect(await test.call(operationRoutes.cancel, { query })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await get()).cancelRequested).toBe(true);
    await isToldToStop(query.id);
    await Promise.all(letGo.map((end) => end()));
    await expect.poll(async () => (await get()).state).toBe('cancelled');
    expect((await get()).message).toBe('The sync was cancelled after 54 of 200 tenants. Those stay synced.');
    expect(await countSynced()).toBe(before + 53);
  });

  it('name each reason, and the first failures in the message [DECISIONS §10]', async () => {
    const physicalNames = await test.context.platform
      .selectFrom('databases')
      .select(['name', 'physicalName'])
      .execute();
    const physical = (n: number) => physicalNames.find(({ name }) => name === codeOf(n))?.physicalName;
    await withClient(withDatabaseName(test.databaseUrl, 'postgres'), async (client) => {
      await client.query(`drop database ${physical(8)}`);
      await client.query(`alter database ${physical(9)} allow_connections false`);
      await client.query(`alter database ${physical(10)} rename to ${physical(10)}_elsewhere`);
    });
    const { message, result } = await syncAll();
    const problems = result.tenants.flatMap(({ tenantCode, problem }) => (problem ? [[tenantCode, problem]] : []));
    expect(problems).toEqual([
      ['T007', expect.stringContaining('does not exist')],
      ['T008', expect.stringContaining('The PostgreSQL server does not have this database.')],
      ['T009', expect.stringContaining('The database takes no connections')],
      ['T010', expect.stringContaining('The PostgreSQL server does not have this database.')],
    ]);
    expect(message).toMatch(
      /^Permissions synced for 196 tenants; 4 failed: T007 \(.*\), T008 \(.*\), T009 \(.*\), 1 more\.$/,
    );
    expect(result.tenants.filter(({ sync }) => sync && sync.added + sync.changed + sync.removed > 0)).toEqual([]);
    await withClient(withDatabaseName(test.databaseUrl, 'postgres'), async (client) => {
      await client.query(`alter database ${physical(9)} allow_connections true`);
      await client.query(`alter database ${physical(10)}_elsewhere rename to ${physical(10)}`);
    });
  });
});
