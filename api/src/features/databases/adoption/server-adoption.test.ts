import { randomBytes } from 'node:crypto';
import { type AdoptionPlan, adoptionRoutes, sourceServer } from '@apotheca/contract/adoptions';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { type Answer, useTestApp } from '../../../testing/app.ts';
import { withClient } from '../../../testing/databases.ts';
import {
  dropPractice,
  FOREIGN_SHAPES,
  type ForeignShape,
  withForeignDatabase,
} from '../../../testing/foreign-databases.ts';
import { holdAt, installStops } from '../../../testing/operation-stops.ts';
import { openTcpProxy } from '../../../testing/tcp-proxy.ts';
import type { ForeignTable } from './source/foreign-source.ts';
import { withServer } from './source/server-source.repository.ts';

const test = useTestApp({ adoptionHosts: ['127.0.0.0/8', 'clinic.invalid'] });
const [, MORE, , , LATIN1, BAD_BYTES] = FOREIGN_SHAPES as ForeignShape[] as [
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
  ForeignShape,
];
/** Tables of which the one that is read first comes last by its name. */
const UNITS: ForeignShape = {
  title: 'units',
  isPractice: false,
  sql: `
    create table units (id int, name text, abbreviation text);
    insert into units values (1, 'Millilitre', 'ml'), (2, 'Piece', 'pc');
    create table order_units (id int, unit_id int, name text, factor int);
    insert into order_units values (1, 1, 'Bottle', 50), (2, 2, 'Box', 10);`,
  expected: { states: {} },
};
const USER = `leaving_${randomBytes(6).toString('hex')}`;
const PASSWORD = `secret-${randomBytes(12).toString('hex')}`;

/** Not in the database that each file copies: nobody may be connected to it then. */
const asAdministrator = (statement: string) =>
  withClient(withDatabaseName(inject('postgresUrl'), 'postgres'), (client) => client.query(statement));
beforeAll(async () => {
  await asAdministrator(
    `create role ${USER} login password ${pg.escapeLiteral(PASSWORD)}; grant pg_read_all_data to ${USER}`,
  );
});
afterAll(async () => {
  await asAdministrator(`drop role ${USER}`);
  await dropPractice();
});
afterEach(() => expect(test.background).toEqual([]));

/** How the role that can only read reaches a database of the test's cluster. */
function serverOf(url: string) {
  const { port, pathname } = new URL(url);
  return {
    host: '127.0.0.1',
    port: Number(port),
    database: pathname.slice(1),
    user: USER,
    password: PASSWORD,
    tls: 'disable',
  };
}

const inspect = (body: object) => test.call(adoptionRoutes.inspectServer, { body });
const adopt = ({ id, digest }: AdoptionPlan, databaseName: string) =>
  test.call(adoptionRoutes.adopt, { body: { id, databaseName, plan: digest } });

const countWaiting = async (url: string) => {
  const waiting = "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
  return (await test.context.pool.query(waiting, [new URL(url).pathname.slice(1)])).rowCount;
};

/** How many letters and bytes PostgreSQL's answer to a statement has. */
function sizeOf({ rows }: pg.QueryResult): number {
  const values = rows.flatMap((row) => Object.values(row).flat()) as ({ length?: number } | null)[];
  return values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
}

const operationOn = (databaseName: string) =>
  test.context.platform
    .selectFrom('operations')
    .select(['state', 'attempts'])
    .where('databaseName', '=', databaseName)
    .executeTakeFirst();

/** Has the statement fail by which rows begin to be loaded into a database. */
const failing = (code: string) => `
  create function public.fail() returns event_trigger language plpgsql as $$
  begin raise exception 'failed' using errcode = '${code}'; end $$;
  create event trigger fail on ddl_command_start when tag in ('CREATE SCHEMA') execute function public.fail()`;

/** Everything that the control database says of adoptions, as text. */
async function saidOfAdoptions(): Promise<string> {
  const { rows } = await test.context.pool.query(`
    select string_agg(t, E'\n') as said from (
      select to_jsonb(a)::text as t from audit_entries a
      union all select to_jsonb(o)::text from operations o
      union all select to_jsonb(s)::text from adoption_sources s
    ) everything`);
  return rows[0].said;
}

describe('a database on a server', () => {
  it('is adopted like an archive, and its password is kept nowhere [§2.13]', async () => {
    const result = await withForeignDatabase(MORE, async (url) => {
      const plan: AdoptionPlan = (await inspect(serverOf(url))).result;
      expect(plan.sourceTables).toContainEqual({
        id: expect.any(String),
        name: 'We ird, "Table" (1)',
        columns: ['a b', 'c,"d)'],
        rows: 3,
      });
      expect(plan.tables.filter(({ state }) => state === 'fits')).toHaveLength(36);
      expect(await saidOfAdoptions()).not.toContain(PASSWORD);
      return (await adopt(plan, 'FROM A SERVER')).result;
    });
    expect(result).toMatchObject({
      rejected: 0,
      hasLargeObjects: true,
      extra: [
        { name: 'billing.invoices', rows: 7 },
        { name: 'We ird, "Table" (1)', rows: 3 },
        { name: 'nothing_in_it', rows: 1 },
      ],
    });
    expect(result.rows).toBeGreaterThan(700);
    const { rows } = await test.context.pool.query('select from adoption_sources');
    expect(rows).toEqual([]);
    expect(await saidOfAdoptions()).not.toContain(PASSWORD);
  });

  it.each([
    [LATIN1, { rows: 4, rejected: 0 }],
    [BAD_BYTES, { rows: 3, rejected: 2 }],
  ])('with $title is read byte by byte [§2.13]', async (shape, expected) => {
    const name = `SERVER ${shape.encoding}`;
    await withForeignDatabase(shape, async (url) => {
      expect(await adopt((await inspect(serverOf(url))).result, name)).toMatchObject({ status: 200, result: expected });
    });
    const { rows } = await test.context.pool.query(
      'select physical_name as "physicalName", server_id as "serverId" from databases where name = $1',
      [name],
    );
    const names = await test.context.tenants.with(rows[0], async (client) => {
      const found = await client.query<{ name: string }>('select name from public.locations');
      return found.rows.map((row) => row.name).sort();
    });
    expect(names).toEqual(shape.expected.names);
  });

  it('whose table is held is not counted for longer than it may be [§2.13]', async () => {
    await withForeignDatabase(LATIN1, async (url) => {
      const counts = await withClient(url, async (holder) => {
        await holder.query('begin; lock table locations');
        return withServer(sourceServer.parse(serverOf(url)), ['127.0.0.0/8'], ({ tables, count }) => count(tables, 50));
      });
      expect([...counts.values()]).toEqual([null]);
    });
  });

  it('whose table is dropped while it is counted has the others counted [§2.13]', async () => {
    await withForeignDatabase(UNITS, async (url) => {
      const server = sourceServer.parse(serverOf(url));
      const counts = await withServer(server, ['127.0.0.0/8'], async ({ tables, count }) => {
        await withClient(url, (client) => client.query('drop table order_units'));
        return count(tables, 60_000);
      });
      expect([...counts.values()]).toEqual([null, 2]);
    });
  });

  it('loses no rows to whoever truncates a table while others are read [§2.13]', async () => {
    await withForeignDatabase(UNITS, async (url) => {
      const plan = (await inspect(serverOf(url))).result;
      const truncate =
        "set lock_timeout = '1s'; begin; truncate order_units; insert into order_units values (9); commit";
      const adopted = await withClient(url, async (holder) => {
        await holder.query('begin; lock table units');
        const adopting = adopt(plan, 'TRUNCATED');
        await expect.poll(() => countWaiting(url)).toBe(1);
        const truncating = withClient(url, (client) => client.query(truncate));
        await expect(truncating).rejects.toMatchObject({ code: '55P03' });
        await holder.query('commit');
        return adopting;
      });
      expect(adopted).toMatchObject({ status: 200, result: { rows: 4, rejected: 0 } });
    });
  });

  it('is not adopted while a table of it is held, which is named [§2.13]', async () => {
    await withForeignDatabase(UNITS, async (url) => {
      const server = sourceServer.parse(serverOf(url));
      const open = (tables: readonly ForeignTable[]) =>
        withServer(server, ['127.0.0.0/8'], async (source) => source.tables, { held: { tables, within: 50 } });
      const tables = await open([]);
      await withClient(url, async (holder) => {
        await holder.query('begin; lock table units');
        const message = 'Another session holds units. Please try again when it has ended.';
        await expect(open(tables)).rejects.toMatchObject({ code: 'conflict', message });
      });
    });
  });

  it('whose table another one has replaced is not read [§2.13]', async () => {
    await withForeignDatabase(UNITS, async (url) => {
      const plan = (await inspect(serverOf(url))).result;
      const replace = 'alter table units rename to units_before; alter table order_units rename to units';
      await withClient(url, (client) => client.query(`${replace}; alter table units_before rename to order_units`));
      expect(await adopt(plan, 'REPLACED')).toMatchObject({
        status: 409,
        message: 'A table of the database is gone: please inspect it again.',
      });
    });
  });

  it.each([
    ['dropped', 'drop table order_units'],
    ['renamed', 'alter table units rename to units_before'],
    ['moved', 'alter schema public rename to before'],
  ])('whose table was %s is to be inspected again [§2.13]', async (_, change) => {
    await withForeignDatabase(UNITS, async (url) => {
      const plan = (await inspect(serverOf(url))).result;
      await withClient(url, (client) => client.query(change));
      expect(await adopt(plan, 'GONE')).toMatchObject({
        status: 409,
        message: 'A table of the database is gone: please inspect it again.',
      });
    });
  });

  it('is adopted where tables that stay behind have other names now [§2.13]', async () => {
    const sql = `${UNITS.sql}
      create table ledger as select 1 as entry;
      create table ledger_new as select i as entry from generate_series(1, 2) i`;
    await withForeignDatabase({ ...UNITS, sql }, async (url) => {
      const plan = (await inspect(serverOf(url))).result;
      const swap = 'alter table ledger rename to ledger_old; alter table ledger_new rename to ledger';
      await withClient(url, (client) => client.query(swap));
      const extra = [
        { name: 'ledger', rows: 1 },
        { name: 'ledger_new', rows: 2 },
      ];
      expect(await adopt(plan, 'SWAPPED')).toMatchObject({ status: 200, result: { rows: 4, rejected: 0, extra } });
    });
  });

  it('with pictures is read, and read back, some megabytes at a time [§2.13]', async () => {
    const picture = "repeat('x', 3000000) as picture";
    const sql = `create table units as select i as id, i as name, i as abbreviation, ${picture} from generate_series(1, 6) i`;
    await withForeignDatabase({ ...UNITS, sql }, async (url) => {
      const plan = (await inspect(serverOf(url))).result;
      const added = vi.spyOn(pg.Result.prototype as unknown as { addRow(row: object): void }, 'addRow');
      try {
        expect(await adopt(plan, 'PICTURES')).toMatchObject({ status: 200, result: { rows: 6, rejected: 0 } });
        const answers = new Set(added.mock.contexts as unknown as pg.QueryResult[]);
        const sizes = [...answers].map(sizeOf);
        expect(sizes.filter((size) => size >= 3_000_000)).toHaveLength(12);
        expect(Math.max(...sizes)).toBeLessThan(4_000_000);
      } finally {
        added.mockRestore();
      }
    });
  });

  it('with a row that was made to fill the memory is not adopted [§2.13]', async () => {
    const sql = "create table units (id int, name text); insert into units select 1, repeat('x', 70000000)";
    await withForeignDatabase({ ...UNITS, sql }, async (url) => {
      expect(await adopt((await inspect(serverOf(url))).result, 'LONG')).toMatchObject({
        status: 409,
        message: 'The database cannot be read: a row of units is longer than 64 MiB.',
      });
    });
  });

  it('whose link breaks ends the adoption, and says why [§2.13] [§8]', async () => {
    await withForeignDatabase(LATIN1, async (url) => {
      const link = await openTcpProxy(url);
      const plan = (await inspect(serverOf(link.url))).result;
      const isRead = link.swallowAfter('fetch');
      const adopted = adopt(plan, 'BROKEN LINK');
      await isRead;
      link.set('reset');
      link.set('pass');
      const message = expect.stringMatching(/^The database cannot be read: (Connection terminated|read ECONNRESET)/);
      expect(await adopted).toMatchObject({ status: 409, message });
      expect(await operationOn('BROKEN LINK')).toEqual({ state: 'failed', attempts: 1 });
      await link.close();
    });
  });

  it('is not blamed for a full disk of this server, nor for a session that ended here [§2.13] [§8]', async () => {
    await installStops(test.databaseUrl);
    await withForeignDatabase(LATIN1, async (url) => {
      const failWith = async (code: string, databaseName: string) => {
        const plan = (await inspect(serverOf(url))).result;
        let answer: Promise<Answer> | undefined;
        const start = () => (answer = adopt(plan, databaseName));
        await holdAt(test.databaseUrl, { kind: 'adopt', point: 'step 1' }, start, async () => {
          const { rows } = await test.context.pool.query(
            'select physical_name as name from databases where name = $1',
            [databaseName],
          );
          await withClient(withDatabaseName(test.databaseUrl, rows[0].name), (client) => client.query(failing(code)));
        });
        return answer;
      };
      expect(await failWith('53100', 'DISK FULL')).toMatchObject({ status: 507, title: 'Disk full' });
      expect(test.background.splice(0)).toEqual([expect.objectContaining({ code: '53100' })]);
      expect(await failWith('57P01', 'SESSION ENDED')).toMatchObject({ status: 200 });
      expect(await operationOn('SESSION ENDED')).toEqual({ state: 'succeeded', attempts: 2 });
    });
  });

  it('is refused where its host is not allowed, cannot be reached or hides rows [§2.13]', async () => {
    await withForeignDatabase(LATIN1, async (url) => {
      const server = serverOf(url);
      expect(await inspect({ ...server, host: '::1' })).toMatchObject({
        status: 400,
        errors: { host: ['Databases may not be adopted from ::1: it is not in APOTHECA_ADOPTION_HOSTS.'] },
      });
      expect(await inspect({ ...server, host: 'clinic.invalid' })).toMatchObject({ status: 409 });
      expect(await inspect({ ...server, port: 0 })).toMatchObject({
        status: 400,
        errors: { port: [expect.any(String)] },
      });
      expect(await inspect({ ...server, password: 'wrong' })).toMatchObject({
        status: 409,
        message: expect.stringMatching(/^The database cannot be read: password authentication failed/),
      });
      // The cluster of the tests has no certificate.
      expect(await inspect({ ...server, tls: 'verify-full' })).toMatchObject({ status: 409 });
      await asAdministrator(`revoke pg_read_all_data from ${USER}`);
      expect(await inspect(server)).toMatchObject({
        status: 409,
        message: 'The user may not read locations: grant it pg_read_all_data.',
      });
      await asAdministrator(`grant pg_read_all_data to ${USER}`);
      await withClient(url, (client) => client.query('alter table locations enable row level security'));
      expect(await inspect(server)).toMatchObject({
        status: 409,
        message: expect.stringMatching(/row-level security/),
      });
      await withClient(url, (client) => client.query('alter table locations disable row level security'));
      const { result } = await inspect(server);
      await withClient(url, (client) => client.query('create table later (id int)'));
      expect(await adopt(result, 'LATER')).toMatchObject({
        status: 409,
        message: 'The database has other tables now: please inspect it again.',
      });
      await withClient(url, (client) => client.query('drop table later; alter table locations add colour text'));
      expect(await adopt(result, 'CHANGED')).toMatchObject({
        status: 409,
        message: 'locations has other columns now: please inspect it again.',
      });
    });
  });
});
