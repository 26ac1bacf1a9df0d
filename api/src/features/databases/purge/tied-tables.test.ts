import { backupRoutes } from '@apotheca/contract/backups';
import { purgeRoutes } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { listTiedTables } from './moving.repository.ts';
import { sweepPurges } from './purge-upkeep.ts';

const test = useTestApp();

/** Runs `work` as the administrator in a database. */
async function inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { physicalName } = await getDatabaseByName(test.context, name);
  return withClient(withDatabaseName(test.databaseUrl, physicalName), work);
}

it('a large table with a view and a trigger is emptied where it is: both stay, and see none of the purged rows [DECISIONS §9]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('VIEWED') });
  await inDatabase('VIEWED', async (client) => {
    await insertSampleRows(client, { patients: 1_001, seed: 1 });
    await client.query(`
      create view public.recall as select id, last_name from public.patients;
      create function public.note() returns trigger language plpgsql as 'begin return new; end';
      create trigger note before insert on public.patients for each row execute function public.note()`);
    const before = await stateOfTables(client);
    const purge = async () => {
      const answer = await test.call(purgeRoutes.purge, {
        query: { databaseName: 'VIEWED' },
        body: TENANT_TABLE_NAMES,
      });
      expect(answer).toMatchObject({ status: 200, result: { deletedTables: TENANT_TABLE_NAMES } });
      return answer.result.operationId as string;
    };
    const seen = async () =>
      (
        await client.query(`select (select count(*)::int from public.recall) as "inView",
          (select count(*)::int from pg_trigger where tgrelid = 'public.patients'::regclass and tgname = 'note') as triggers`)
      ).rows;

    const operationId = await purge();
    expect(await seen()).toEqual([{ inView: 0, triggers: 1 }]);
    const query = { databaseName: 'VIEWED', operationId };
    expect(await test.call(purgeRoutes.putBack, { query, body: TENANT_TABLE_NAMES })).toMatchObject({ status: 200 });
    expect(await stateOfTables(client)).toEqual(before);
    expect(await seen()).toEqual([{ inView: 1_001, triggers: 1 }]);

    await purge();
    await client.query("update apotheca.purged_tables set purged_at = purged_at - interval '8 days'");
    await sweepPurges({ ...test.context, now: () => new Date() });
    expect(await client.query("select from pg_tables where schemaname = 'apotheca_purged'")).toMatchObject({
      rowCount: 0,
    });
    expect(await seen()).toEqual([{ inView: 0, triggers: 1 }]);
  });
});

it('a large table keeps what an operator has set on it [DECISIONS §9]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('SET') });
  await inDatabase('SET', async (client) => {
    await insertSampleRows(client, { patients: 1_001, seed: 1 });
    await client.query(`
      alter table public.patients set (autovacuum_vacuum_scale_factor = 0.01), replica identity full;
      grant select (id, last_name) on public.patients to pg_monitor`);
    const read = async () =>
      (
        await client.query(`select reloptions, relreplident, array(select attname::text from pg_attribute
          where attrelid = c.oid and attacl is not null order by 1) as granted from pg_class c where oid = 'public.patients'::regclass`)
      ).rows;
    const before = await read();
    const query = { databaseName: 'SET' };
    const answer = await test.call(purgeRoutes.purge, { query, body: TENANT_TABLE_NAMES });
    expect(answer).toMatchObject({ status: 200, result: { deletedTables: TENANT_TABLE_NAMES } });
    expect((await client.query('select from public.patients')).rowCount).toBe(0);
    expect(await read()).toEqual(before);
  });
});

it('a backup that is made after such a purge is restored with the view [§2.13]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('BACKED') });
  await inDatabase('BACKED', async (client) => {
    await insertSampleRows(client, { patients: 1_001, seed: 1 });
    await client.query('create view public.recall as select id, last_name from public.patients');
    await test.call(purgeRoutes.purge, { query: { databaseName: 'BACKED' }, body: TENANT_TABLE_NAMES });
  });
  const { id } = (await test.call(backupRoutes.create, { query: { databaseName: 'BACKED' } })).result;
  const answer = await test.call(backupRoutes.restore, { query: { id, databaseName: 'RESTORED' } });
  expect(answer).toMatchObject({ status: 200, result: { leftOut: [] } });
  await inDatabase('RESTORED', async (client) => {
    expect((await client.query('select * from public.recall')).rows).toEqual([]);
  });
});

it('only what would move along with the rows of a table is tied to it [DECISIONS §9]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('TIED') });
  await inDatabase('TIED', async (client) => {
    const tied = async () => [...(await listTiedTables(client, TENANT_TABLE_NAMES))];
    expect(await tied()).toEqual([]);
    const tying = [
      'create view v as select 1 as one from locations',
      'create materialized view m as select name from locations',
      'create rule r as on update to locations do also notify moved',
      'alter table locations enable row level security',
      'create policy p on locations using (true)',
      "create function f(locations) returns text language sql as 'select null::text'",
      "create function f() returns setof locations language sql as 'select * from locations'",
      'create function f() returns bigint language sql begin atomic select max(id) from locations; end',
      'create table other (them locations[])',
      'create table other () inherits (locations)',
      'create statistics s on code, name from locations',
      'create publication p for table locations',
      'alter table locations add column number serial',
      `create function f() returns trigger language plpgsql as 'begin return new; end';
       create constraint trigger t after insert on locations for each row execute function f()`,
      'alter table locations set (autovacuum_vacuum_scale_factor = 0.01)',
      'alter table locations set (toast.autovacuum_enabled = off)',
      'alter table locations replica identity full',
      'grant select (code, name) on locations to pg_monitor',
      'grant select on locations to pg_monitor with grant option',
      'alter table locations alter column name set statistics 500',
      'alter table locations alter column name set (n_distinct = 10)',
      "create index i on locations (lower(name)); comment on index i is 'for the search'",
      "comment on constraint locations__id on locations is 'by number'",
    ];
    for (const statement of tying) {
      await client.query(`begin; ${statement}`);
      expect(await tied(), statement).toEqual(['locations']);
      await client.query('rollback');
    }
    const moving = [
      'create index i on locations (lower(name))',
      'alter table locations add unique (name, code), add check (length(name) < 1000)',
      "alter table locations alter column name set default 'none', add column twice text generated always as (name || name) stored",
      'create table other (location_id bigint references locations)',
      "create function f() returns bigint language sql as 'select max(id) from locations'",
      "comment on column locations.name is 'not identifying'",
      "alter table locations add constraint short check (length(name) < 1000); comment on constraint short on locations is 'short'",
      'grant select on locations to pg_monitor',
      'alter table locations alter column name set storage external',
    ];
    for (const statement of moving) {
      await client.query(`begin; ${statement}`);
      expect(await tied(), statement).toEqual([]);
      await client.query('rollback');
    }
  });
});
