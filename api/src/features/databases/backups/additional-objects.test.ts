import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { ADDITIONAL_OBJECTS, type AdditionalObjects } from '../../../testing/additional-objects.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { readChecksums } from './checksums.repository.ts';
import { inSnapshot } from './snapshot.repository.ts';

const test = useTestApp();

const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const backUp = async (databaseName: string) => {
  const answer = await test.call(backupRoutes.create, { query: { databaseName } });
  expect(answer).toMatchObject({ status: 200 });
  return answer.result.id as string;
};
const planOf = (id: string, databaseName: string) =>
  test.call(backupRoutes.planRestore, { query: { id, databaseName } });
const restore = (id: string, databaseName: string, plan?: string) =>
  test.call(backupRoutes.restore, { query: { id, databaseName, ...(plan && { plan }) } });
const remove = (databaseName: string) => test.call(databaseRoutes.delete, { query: { databaseName } });
const rowOf = (name: string) => getDatabaseByName(test.context, name);
const inDatabase = async <T>(name: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(withDatabaseName(test.databaseUrl, (await rowOf(name)).physicalName), work);
const run = async (name: string, text: string) => inDatabase(name, async (client) => (await client.query(text)).rows);
const asTenant = async <T>(name: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(await connectionStringOf(test.context, await rowOf(name)), work);
const checksumsOf = (name: string) =>
  inDatabase(name, (client) => inSnapshot(client, () => readChecksums(client))).then((tables) =>
    tables.sort((one, two) => (one.schema + one.name).localeCompare(two.schema + two.name)),
  );

/** The statements that make a database's schema, as pg_dump writes them. */
async function schemaOf(name: string): Promise<string> {
  const { pgDump } = await test.context.findTools();
  const url = withDatabaseName(test.databaseUrl, (await rowOf(name)).physicalName);
  const { stdout } = await promisify(execFile)(pgDump, [
    '--schema-only',
    '--no-owner',
    '--no-privileges',
    `--dbname=${url}`,
  ]);
  // A random word around the whole.
  return stdout.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

/** Each kind of object is among the first ten, which are two in an archive here; the others join them differently. */
const ARCHIVES = IS_LONG_RUN
  ? ADDITIONAL_OBJECTS
  : ADDITIONAL_OBJECTS.slice(0, 5).map((one, index) => {
      const other = ADDITIONAL_OBJECTS[index + 5] as AdditionalObjects;
      return {
        title: `${one.title}, ${other.title}`,
        sql: `${one.sql}\n${other.sql}`,
        refused: [...one.refused, ...other.refused],
      };
    });

describe('an archive with more than the platform’s schema', () => {
  it.each(ARCHIVES.map((objects, index) => ({ ...objects, index })))(
    'is restored whole, or its plan names what is not: $index, $title [§2.13]',
    async ({ index, sql, refused }) => {
      const source = `SOURCE${index}`;
      const { id: tenantId } = (await createTenant(source)).result;
      await run(source, `insert into public.locations (code, name, kind) values ('A', 'a', 'clinic'); ${sql}`);
      const id = await backUp(source);
      const copy = `COPY${index}`;
      const { result: plan, message } = await planOf(id, copy);
      expect(plan.leftOut.map(({ kind, name }: { kind: string; name: string }) => ({ kind, name }))).toEqual(
        expect.arrayContaining(refused),
      );
      expect(plan.leftOut.every(({ reason }: { reason: string }) => reason !== '')).toBe(true);
      if (refused.length === 0) expect(plan.leftOut).toEqual([]);
      for (const { kind, name } of refused) expect(message).toContain(`${kind} ${name}`);
      expect(await restore(id, copy, plan.digest)).toMatchObject({ status: 200, result: { leftOut: plan.leftOut } });
      expect(await checksumsOf(copy)).toEqual(await checksumsOf(source));
      if (refused.length === 0) expect(await schemaOf(copy)).toBe(await schemaOf(source));
      expect(await remove(copy)).toMatchObject({ status: 200 });
      expect(await test.call(tenantRoutes.delete, { query: { id: tenantId } })).toMatchObject({ status: 200 });
      expect(test.background).toEqual([]);
    },
  );
});

describe('the privileges of additional objects', () => {
  const RIGHTS = `
    create schema shared;
    create table shared.open (n int); insert into shared.open values (1);
    create table shared.closed (n int);
    create view shared.seen as select n from shared.closed;
    create function shared.counted() returns bigint language sql security definer set search_path = pg_catalog
      as 'select count(*) from shared.closed';
    revoke execute on function shared.counted() from public;`;

  it('come back for the database’s own role, in a new database and in place of the old one [§2.13]', async () => {
    await createTenant('RIGHTS');
    const { roleName } = await rowOf('RIGHTS');
    await run(
      'RIGHTS',
      `${RIGHTS} grant usage on schema shared to ${roleName}; grant select, insert on shared.open to ${roleName};
       grant select on shared.seen to ${roleName}; grant execute on function shared.counted() to ${roleName};`,
    );
    const id = await backUp('RIGHTS');
    expect(await restore(id, 'RIGHTS AGAIN')).toMatchObject({ status: 200 });
    expect(await restore(id, 'RIGHTS')).toMatchObject({ status: 200 });
    for (const name of ['RIGHTS', 'RIGHTS AGAIN']) {
      await asTenant(name, async (client) => {
        await client.query('insert into shared.open values (2)');
        await client.query('select from shared.seen');
        await client.query('select shared.counted()');
        await expect(client.query('select from shared.closed')).rejects.toThrow(/permission denied/);
        await expect(client.query('delete from shared.open')).rejects.toThrow(/permission denied/);
        await expect(client.query('drop table shared.open')).rejects.toThrow(/must be owner/);
      });
    }
    expect(await remove('RIGHTS AGAIN')).toMatchObject({ status: 200 });
  });
});

describe('a tenant’s code in a database that is backed up and restored', () => {
  const MARK = join(tmpdir(), `apotheca-stronger-${process.pid}`);
  /** Leaves a mark where it runs as a superuser; nobody else can run a program. */
  const SPY = `create function public.spy() returns int language plpgsql as $f$
    begin execute $e$copy (select 1) to program 'touch ${MARK}'$e$; return 1; exception when others then return 1; end $f$;`;
  const PLANTED = `
    ${SPY}
    create function public.spy_value(x int) returns int language sql immutable as 'select public.spy() * x';
    create function public.spy_trigger() returns trigger language plpgsql as $f$ begin perform public.spy(); return new; end $f$;
    create domain public.watched as int check (public.spy_value(value) is not null);
    create table public.planted (
      a int default public.spy(), b int check (public.spy_value(b) is not null), c public.watched,
      d int generated always as (public.spy_value(b)) stored);
    insert into public.planted (b, c) values (1, 1), (2, 2);
    create index planted_b on public.planted (public.spy_value(b));
    create statistics planted_s on (public.spy_value(a)), b from public.planted;
    create function public.spy_text(r public.planted) returns text language sql as $f$ select public.spy()::text $f$;
    create cast (public.planted as text) with function public.spy_text(public.planted);
    create view public.planted_view as select public.spy();
    create materialized view public.planted_rows as select public.spy() as n;
    create rule planted_rule as on update to public.planted do also select public.spy();
    create trigger planted_trigger before insert on public.planted for each row execute function public.spy_trigger();
    create trigger planted_here before insert on public.locations for each row execute function public.spy_trigger();`;

  beforeAll(() => rm(MARK, { force: true }));

  it('never runs as a superuser, nor when the restored tables are analyzed, reindexed or refreshed [§2.13]', async () => {
    await createTenant('PLANTED');
    const { roleName, physicalName } = await rowOf('PLANTED');
    await run(
      'PLANTED',
      `grant create on database ${physicalName} to ${roleName}; grant create on schema public to ${roleName};
       grant trigger on public.locations to ${roleName}`,
    );
    await asTenant('PLANTED', (client) => client.query(PLANTED));
    expect(existsSync(MARK)).toBe(false);
    const id = await backUp('PLANTED');
    expect(existsSync(MARK)).toBe(false);
    const { result: plan } = await planOf(id, 'PLANTED AGAIN');
    expect(plan.leftOut).toEqual([expect.objectContaining({ kind: 'cast' })]);
    expect(await restore(id, 'PLANTED AGAIN')).toMatchObject({ status: 200 });
    expect(existsSync(MARK)).toBe(false);
    const asAdministrator = (text: string) =>
      test.context.tenants.with(copy, (client) => client.query(text), { unlimited: true });
    const copy = await rowOf('PLANTED AGAIN');
    for (const text of [
      'analyze',
      'reindex schema public',
      'refresh materialized view public.planted_rows',
      'vacuum full',
    ]) {
      await asAdministrator(text);
    }
    expect(existsSync(MARK)).toBe(false);
    // The mark tells: here a superuser calls it.
    await asAdministrator('select public.spy()');
    expect(existsSync(MARK)).toBe(true);
    await rm(MARK);
  });
});

describe('the rows of a restored database', () => {
  it('are compared with the manifest: the table that differs is named, and nothing is left [§2.13]', async () => {
    await createTenant('SUMMED');
    await run(
      'SUMMED',
      "insert into public.locations (code, name, kind) values ('A', 'a', 'clinic'), ('B', 'b', 'clinic')",
    );
    const id = await backUp('SUMMED');
    const { manifest } = await test.context.platform
      .selectFrom('backups')
      .select('manifest')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { tables, ...rest } = manifest as { tables: { name: string; checksum: string }[] };
    const other = tables.map((table) =>
      table.name === 'locations' ? { ...table, checksum: `${table.checksum}1` } : table,
    );
    await test.context.platform
      .updateTable('backups')
      .set({ manifest: JSON.stringify({ ...rest, tables: other }) })
      .where('id', '=', id)
      .execute();
    expect(await restore(id, 'SUMMED AGAIN')).toMatchObject({
      status: 400,
      message: 'The restored rows of locations are not those that were backed up.',
    });
    const names = (await test.call(databaseRoutes.list)).result.map(
      (row: { databaseName: string }) => row.databaseName,
    );
    expect(names).not.toContain('SUMMED AGAIN');
  });
});
