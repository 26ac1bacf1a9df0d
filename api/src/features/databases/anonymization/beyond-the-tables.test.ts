import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { useTestApp } from '../../../testing/app.ts';
import { PLANTED, plant } from '../../../testing/planted-person.ts';

const test = useTestApp();
const { plan, anonymize, inside, createFilled } = anonymizing(test);

beforeAll(() => createFilled('BEYOND', 10));

describe('anonymizing a database with more than the platform’s tables', () => {
  it.each([
    ['a table of another schema', 'create schema audit; create table audit.copies (old text)', 'table audit.copies'],
    [
      'a materialized view',
      'create materialized view public.seen as select * from users',
      'materialized view public.seen',
    ],
    ['large objects', "select lo_from_bytea(0, 'a') from generate_series(1, 1200)", '1,200 large objects'],
  ])('is refused by plan and call, naming %s [DECISIONS §9]', async (_, sql, name) => {
    await inside('BEYOND', (client) => client.query(sql));
    const refusal = {
      status: 409,
      message: `Nothing was changed: there is no rule for anonymizing ${name}. 'Clone anonymized' leaves this out.`,
    };
    expect(await plan('BEYOND')).toMatchObject(refusal);
    expect(await anonymize('BEYOND')).toMatchObject(refusal);
    await inside('BEYOND', (client) =>
      client.query(`drop schema if exists audit cascade; drop materialized view if exists public.seen;
        select lo_unlink(oid) from pg_largeobject_metadata`),
    );
  });

  it('runs no trigger and no rule, which could copy old values, and leaves them as they were [DECISIONS §9]', async () => {
    await inside('BEYOND', async (client) => {
      await plant(client);
      await client.query(`
        create table public.side (id bigint, what text);
        comment on column public.side.id is 'not identifying';
        comment on column public.side.what is 'not identifying';
        create function public.keep() returns trigger language plpgsql as
          $f$ begin insert into public.side values (old.id, old.ssn); return new; end $f$;
        create trigger keep after update on public.patients for each row execute function public.keep();
        alter table public.patients enable always trigger keep;
        create trigger off before update on public.patients for each row execute function public.keep();
        alter table public.patients disable trigger off;
        create rule keep as on update to public.users do also insert into public.side values (old.id, old.email)`);
    });
    expect(await anonymize('BEYOND')).toMatchObject({ status: 200 });
    await inside('BEYOND', async (client) => {
      expect((await client.query('select * from public.side')).rows).toEqual([]);
      const { rows } = await client.query(`
        select tgname || ' ' || tgenabled::text as state from pg_trigger where not tgisinternal
        union all select rulename || ' ' || ev_enabled::text from pg_rewrite where rulename = 'keep' order by 1`);
      expect(rows.map(({ state }) => state)).toEqual(['keep A', 'keep O', 'off D']);
      await client.query('drop table public.side cascade; drop function public.keep() cascade');
    });
  });

  it.each([
    ['partitions', 'partition by list (part)', (part: number) => `partition of public.guests for values in (${part})`],
    ['tables that inherit', '', () => '() inherits (public.guests)'],
  ])('gives each row of %s its own new values, and keeps no sample of an old one [DECISIONS §9]', async (_, by, of) => {
    const columns = ['guests', 'guests_1', 'guests_2'].map(
      (table) => `comment on column public.${table}.id is 'not identifying';
        comment on column public.${table}.part is 'not identifying';
        comment on column public.${table}.phone is 'identifier: phone'`,
    );
    await inside('BEYOND', (client) =>
      client.query(`
        create table public.guests (id int, part int, phone text) ${by};
        create table public.guests_1 ${of(1)};
        create table public.guests_2 ${of(2)};
        ${columns.join(';')};
        insert into public.guests_1 select n, 1, '212-555-000' || n from generate_series(1, 3) n;
        insert into public.guests_2 select n, 2, '212-555-000' || n + 3 from generate_series(4, 6) n;
        update public.guests_2 set phone = '212-555-0001' where id = 6;
        analyze public.guests, public.guests_1, public.guests_2`),
    );
    const { status, result } = await anonymize('BEYOND');
    expect(status).toBe(200);
    const changed = result.columns.filter(({ table }: { table: string }) => table.startsWith('guests'));
    expect(changed.map(({ table, rows }: { table: string; rows: number }) => [table, rows])).toEqual([
      ['guests', 0],
      ['guests_1', 3],
      ['guests_2', 3],
    ]);
    await inside('BEYOND', async (client) => {
      const { rows } = await client.query('select id, part, phone from public.guests order by id');
      expect(rows.map(({ id, part }) => [id, part])).toEqual([1, 2, 3, 4, 5, 6].map((id) => [id, id < 4 ? 1 : 2]));
      expect(new Set(rows.map(({ phone }) => phone)).size).toBe(5);
      expect(rows[5].phone).toBe(rows[0].phone);
      const samples = await client.query(
        "select from pg_stats where tablename ~ '^guests' and (most_common_vals::text || coalesce(histogram_bounds::text, '')) ~ '212-555'",
      );
      expect(samples.rowCount).toBe(0);
      await client.query('drop table public.guests cascade');
    });
  });

  it.each([
    ['the statistics', 'pg_statistic', ''],
    ['extended statistics', 'pg_statistic_ext_data', ''],
    ['the statistics, of a table that is empty by now', 'pg_statistic', 'delete from public.guests'],
    ['extended statistics, of a table that is empty by now', 'pg_statistic_ext_data', 'delete from public.guests'],
  ])('leaves no samples of old values in the file of %s [DECISIONS §9]', async (_, catalogue, afterwards) => {
    const hasSample = () =>
      inside('BEYOND', async (client) => {
        await client.query('checkpoint');
        const { rows } = await client.query<{ path: string }>(
          "select current_setting('data_directory') || '/' || pg_relation_filepath($1::regclass) as path",
          [catalogue],
        );
        return (await readFile(rows[0]?.path ?? '', 'utf8')).includes(PLANTED.city);
      });
    await inside('BEYOND', async (client) => {
      await client.query(`
        create table public.guests (city text, phone text);
        comment on column public.guests.city is 'identifier: address (city)';
        comment on column public.guests.phone is 'identifier: phone';
        create statistics public.together (mcv) on city, phone from public.guests;
        create view public.cities as select city from public.guests`);
      await client.query('insert into public.guests select $1, $2 from generate_series(1, 50)', [
        PLANTED.city,
        PLANTED.phone,
      ]);
      await client.query('analyze public.guests');
      if (afterwards) await client.query(afterwards);
    });
    expect(await hasSample()).toBe(true);
    expect(await anonymize('BEYOND')).toMatchObject({ status: 200 });
    expect(await hasSample()).toBe(false);
    await inside('BEYOND', (client) => client.query('drop table public.guests cascade'));
  });

  it('takes in tables and columns whatever their names are [DECISIONS §9]', async () => {
    const table = `public.${pg.escapeIdentifier(`o'clock, "noon" \\`)}`;
    await inside('BEYOND', async (client) => {
      await client.query(
        `create table ${table} ("Tel. No" text); comment on column ${table}."Tel. No" is 'identifier: phone'`,
      );
      await client.query(`insert into ${table} values ($1)`, [PLANTED.phone]);
    });
    expect(await anonymize('BEYOND')).toMatchObject({ status: 200 });
    await inside('BEYOND', async (client) => {
      const { rows } = await client.query(`select "Tel. No" as phone from ${table}`);
      expect(rows).toEqual([{ phone: expect.not.stringContaining(PLANTED.phone) }]);
      await client.query(`drop table ${table}`);
    });
  });
});
