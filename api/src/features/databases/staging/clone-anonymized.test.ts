import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { anonymizedCloneReport, anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { purgeRoutes } from '@apotheca/contract/purges';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilOldRowsUnneeded } from '../../../db/cluster/old-row-versions.ts';
import { ownershipMark, unfinishedMark } from '../../../db/cluster/ownership-mark.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { ADDITIONAL_OBJECTS } from '../../../testing/additional-objects.ts';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { type Answer, useTestApp } from '../../../testing/app.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { PLANTED, plant } from '../../../testing/planted-person.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { connectionStringOf, getDatabaseById, getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();
const { createFilled, inside } = anonymizing(test);

const cloneAnonymized = (copyFrom: string, databaseName: string, options = {}) =>
  test.call(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom, databaseName }, ...options });

/** What an operator made in the source: each part holds, or copies, values of people. */
const MADE_BY_OPERATORS = `
  create schema audit;
  create table audit.copies (old text);
  create function audit.keep() returns trigger language plpgsql as $f$
    begin insert into audit.copies values (old::text), (new::text); return new; end $f$;
  create trigger keep after update on public.patients for each row execute function audit.keep();
  alter table public.patients enable always trigger keep;
  create rule keep as on update to public.users do also insert into audit.copies values (old::text);
  create table public.vip (name text);
  insert into public.vip values ('${PLANTED.first} ${PLANTED.last}');
  create materialized view public.contacts as select * from public.athena_persons;
  create view public.one as select * from public.patients where ssn = '${PLANTED.ssn}';
  create function public.who() returns text language sql as $f$ select '${PLANTED.email}' $f$;
  create type public.people as enum ('${PLANTED.last}');
  select lo_from_bytea(0, convert_to('${PLANTED.record} ${PLANTED.last}', 'UTF8')) from generate_series(1, 3);
  comment on table public.patients is 'such as ${PLANTED.last}';
  comment on column public.locations.code is 'as told by ${PLANTED.email}';
  comment on schema public is '${PLANTED.phone}'`;

/** Whatever of the planted person is in a text. */
const found = (text: string) =>
  Object.values(PLANTED).filter((value) => text.toLowerCase().includes(value.toLowerCase()));

async function dump(name: string): Promise<string> {
  const { physicalName } = await getDatabaseByName(test.context, name);
  const { pgDump } = await test.context.findTools();
  const url = withDatabaseName(test.databaseUrl, physicalName);
  const { stdout } = await promisify(execFile)(pgDump, ['--blobs', `--dbname=${url}`], {
    maxBuffer: 1_000_000_000,
  });
  return stdout;
}

const statistics = (name: string) =>
  inside(name, async (client) => {
    const { rows } = await client.query<{ text: string }>('select s::text as text from pg_statistic s');
    return rows.map(({ text }) => text).join('\n');
  });

/** The files of a database on disk, as PostgreSQL has written them. */
async function files(name: string): Promise<string> {
  const folder = await inside(name, async (client) => {
    await client.query('checkpoint');
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`,
    );
    return rows[0]?.folder ?? '';
  });
  // PostgreSQL removes its cache of the catalogue (pg_internal.init) whenever that changes.
  const read = (file: string) =>
    readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '';
    });
  const texts = await Promise.all((await readdir(folder)).map(read));
  return texts.join('\n');
}

/** Whether a connection is refused. */
const refusal = (target: string | pg.ClientConfig): Promise<string> =>
  withClient(target, async () => 'connected').catch((error: Error) => error.message);

beforeAll(async () => {
  await createFilled('STAGED', 60);
  await inside('STAGED', async (client) => {
    await plant(client);
    await client.query('analyze');
  });
  const wanted = { query: { databaseName: 'STAGED' }, body: ['trlogs', 'wslogs'] };
  expect(await test.call(purgeRoutes.purge, wanted)).toMatchObject({ status: 200 });
  await inside('STAGED', async (client) => {
    await client.query(MADE_BY_OPERATORS);
    await client.query('update patients set city = city where ssn is not null; update users set phone = phone');
    await client.query('analyze');
  });
  await installStops(test.databaseUrl);
});

describe('a clone that is anonymized before anybody may connect', () => {
  let answer: Answer;
  beforeAll(async () => {
    for (const text of [await dump('STAGED'), await files('STAGED')]) {
      expect(found(text).length).toBeGreaterThan(Object.keys(PLANTED).length - 3);
    }
    expect(found(await statistics('STAGED')).length).toBeGreaterThan(5);
    answer = await cloneAnonymized('STAGED', 'STAGING');
  });

  it('reports what was changed, and names what it left out [DECISIONS §13]', () => {
    expect(answer).toMatchObject({
      status: 200,
      message: expect.stringMatching(/^Success! Database STAGING has been created as an anonymized copy of STAGED: /),
    });
    expect(anonymizedCloneReport.parse(answer.result)).toEqual(answer.result);
    expect(answer.result).toMatchObject({ copiedFrom: 'STAGED', scan: { found: 0 } });
    for (const object of [
      { kind: 'table', name: 'audit.copies' },
      { kind: 'table', name: 'public.vip' },
      { kind: 'materialized view', name: 'public.contacts' },
      { kind: 'trigger', name: 'keep on public.patients' },
      { kind: 'rule', name: 'keep on public.users' },
      { kind: 'schema', name: 'audit' },
      { kind: 'large objects', name: '3' },
    ]) {
      expect(answer.result.leftOut).toContainEqual(object);
    }
  });

  it('has nothing of anybody in its rows, definitions, comments, large objects, statistics or files [DECISIONS §13]', async () => {
    expect(found(await dump('STAGING'))).toEqual([]);
    expect(found(await statistics('STAGING'))).toEqual([]);
    expect(found(await files('STAGING'))).toEqual([]);
  });

  it('has no number, address or name of any person of its source [DECISIONS §13]', async () => {
    const text = (await dump('STAGING')) + (await statistics('STAGING'));
    const columns = ['ssn', 'medical_record_number', 'phone', 'email', 'address_line', 'insurance_member_id'];
    const [row] = await queryTenant(
      test,
      'STAGED',
      `select array(
           select distinct value from patients p, jsonb_each_text(to_jsonb(p)) where key = any ($1) and value <> ''
         ) as values,
         array(select distinct last_name from patients union select last_name from users) as names`,
      [columns],
    );
    expect(row.values.length).toBeGreaterThan(200);
    expect(row.values.filter((value: string) => text.includes(value))).toEqual([]);
    const words = new Set(text.split(/[^\p{L}]+/u));
    expect(row.names.filter((name: string) => words.has(name))).toEqual([]);
  });

  it('has a role of its own, as many rows as its source, and its source is as it was [DECISIONS §13]', async () => {
    const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'STAGING'));
    const count = 'select count(*)::int as rows from patients';
    expect(await withClient(url, async (client) => (await client.query(count)).rows)).toEqual(
      await queryTenant(test, 'STAGED', count),
    );
    expect(found(await dump('STAGED')).length).toBeGreaterThan(10);
    const [row] = (await test.call(databaseRoutes.list)).result.filter(
      ({ databaseName }: { databaseName: string }) => databaseName === 'STAGING',
    );
    expect(row).toMatchObject({ copiedFrom: 'STAGED', tenantCode: null, refreshedOnUtc: expect.any(String) });
  });

  it('can itself be anonymized, cloned and cloned anonymized [DECISIONS §13]', async () => {
    expect(await test.call(anonymizationRoutes.anonymize, { query: { databaseName: 'STAGING' } })).toMatchObject({
      status: 200,
    });
    expect(await cloneAnonymized('STAGING', 'STAGING AGAIN')).toMatchObject({ status: 200, result: { leftOut: [] } });
  });
});

it('leaves out every kind of object that an operator can make [DECISIONS §13]', async () => {
  await createFilled('VARIED', 3);
  await inside('VARIED', async (client) => {
    for (const { sql } of ADDITIONAL_OBJECTS) await client.query(sql);
    await client.query('create extension postgres_fdw; create server elsewhere foreign data wrapper postgres_fdw');
    await client.query('create foreign table public.remote (a text) server elsewhere');
    await client.query('create cast (public.mood_4 as integer) with inout').catch(() => {});
  });
  const { status, result, message } = await cloneAnonymized('VARIED', 'VARIED STAGING');
  expect([status, message]).toEqual([200, expect.any(String)]);
  const kinds = new Set(result.leftOut.map(({ kind }: { kind: string }) => kind));
  for (const kind of ['table', 'view', 'function', 'type', 'extension', 'event trigger', 'publication', 'schema']) {
    expect(kinds).toContain(kind);
  }
  await createFilled('PLAIN', 3);
  expect(await cloneAnonymized('PLAIN', 'PLAIN STAGING')).toMatchObject({ result: { leftOut: [] } });
  const schemaOf = async (name: string) =>
    (await dump(name)).replaceAll(/^(COPY|--|\\|\d|CREATE INDEX extra_|SELECT pg_catalog.setval).*$/gm, '').length;
  const [varied, plain] = [await schemaOf('VARIED STAGING'), await schemaOf('PLAIN STAGING')];
  expect(Math.abs(varied - plain) / plain).toBeLessThan(0.2);
});

describe.each([
  {
    holder: 'a transaction of another database',
    hold: 'begin; select pg_current_xact_id()',
    release: 'commit',
    named: /^the process \d+ of PostgreSQL$/,
  },
  {
    holder: 'a replication slot of another database',
    hold: "select pg_create_logical_replication_slot(current_database(), 'pgoutput')",
    release: 'select pg_drop_replication_slot(current_database())',
    named: /^the replication slot \w+$/,
  },
])('while $holder needs old rows', ({ holder, hold, release, named }) => {
  it('no file is rewritten, as it would keep them, and what needs them can be told [DECISIONS §13]', async () => {
    const name = `BESIDE ${holder.toUpperCase()}`;
    await withClient(test.databaseUrl, async (client) => {
      await client.query(hold);
      await cloneAnonymized('STAGED', name, { headers: { prefer: 'respond-async' } });
      const waiting = `select from pg_stat_activity join databases on physical_name = datname
        where name = $1 and query ilike 'select pg_sleep%'`;
      await expect.poll(async () => (await test.context.pool.query(waiting, [name])).rowCount).toBe(1);
      const holders = await inside('STAGED', (other) => untilOldRowsUnneeded(other, 0));
      expect(holders).toContainEqual(expect.stringMatching(named));
      await client.query(release);
    });
    await operationsEnded(test.databaseUrl);
    expect(found(await files(name))).toEqual([]);
  });
});

async function commentOn(physicalName: string): Promise<string> {
  const { rows } = await test.context.pool.query(
    "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
    [physicalName],
  );
  return rows[0].comment;
}

describe('while the clone is being made', () => {
  it.each(['step 2', 'step 3', 'step 4', 'step 5', 'step 6', 'succeeded'])(
    'at %s neither its source’s role, nor its own, nor PUBLIC can connect to it, and no call names it [DECISIONS §13]',
    async (point) => {
      const name = `HELD ${point.toUpperCase()}`;
      const stranger = `stranger_${point.replace(' ', '_')}`;
      await test.context.pool.query(`create role ${stranger} login password 'stranger'`);
      await holdAt(
        test.databaseUrl,
        { kind: 'clone-anonymized', point },
        () => cloneAnonymized('STAGED', name, { headers: { prefer: 'respond-async' } }),
        async () => {
          const { rows } = await test.context.pool.query('select id from databases where name = $1', [name]);
          const copy = await getDatabaseById(test.context.platform, rows[0].id);
          const asSource = new URL(
            await connectionStringOf(test.context, await getDatabaseByName(test.context, 'STAGED')),
          );
          asSource.pathname = `/${copy.physicalName}`;
          const asStranger = new URL(asSource);
          asStranger.username = stranger;
          asStranger.password = 'stranger';
          // Without its row in the registry, nothing but this keeps it from being adopted.
          expect(await commentOn(copy.physicalName)).toBe(await unfinishedMark(test.context.clusters.home.platform));
          expect(await refusal(asSource.href)).toMatch(/permission denied for database/);
          expect(await refusal(asStranger.href)).toMatch(/permission denied for database/);
          // Its own role comes last, when it is clean.
          if (point !== 'succeeded') {
            expect(await refusal(await connectionStringOf(test.context, copy))).toMatch(
              /authentication failed|does not exist/,
            );
          }
          expect(await test.call(databaseRoutes.details, { query: { databaseName: name } })).toMatchObject({
            status: 404,
          });
          expect(await cloneAnonymized('STAGED', 'SECOND')).toMatchObject({ status: 409, title: 'Busy' });
        },
      );
      await removeStops(test.databaseUrl);
      await operationsEnded(test.databaseUrl);
      await test.context.pool.query(`drop role ${stranger}`);
      expect(found(await dump(name))).toEqual([]);
      const { physicalName } = await getDatabaseByName(test.context, name);
      expect(await commentOn(physicalName)).toBe(await ownershipMark(test.context.clusters.home.platform));
    },
  );

  it('cancelled, nothing is left of it [DECISIONS §13]', async () => {
    const { pool } = test.context;
    let physicalName = '';
    let cancelling: Promise<Answer> | undefined;
    await holdAt(
      test.databaseUrl,
      { kind: 'clone-anonymized', point: 'step 3' },
      () => cloneAnonymized('STAGED', 'CANCELLED', { headers: { prefer: 'respond-async' } }),
      async () => {
        const { rows } = await pool.query("select id, physical_name from databases where name = 'CANCELLED'");
        physicalName = rows[0].physical_name;
        cancelling = test.call(operationRoutes.cancel, { query: { id: rows[0].id } });
        // It waits for the row of the operation, which stands still in the middle of its next step. So may the sign of life of its run.
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like 'update "operations" set "cancel_requested" = %'`;
        while ((await pool.query(waiting)).rowCount === 0);
      },
    );
    expect(await cancelling).toMatchObject({ status: 200 });
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    const { rows } = await pool.query(
      `select datname from pg_database where datname = $1 union all select rolname from pg_roles where rolname = $1
       union all select state from operations where database_name = 'CANCELLED'`,
      [physicalName],
    );
    expect(rows).toEqual([{ datname: 'cancelled' }]);
    const details = await test.call(databaseRoutes.details, { query: { databaseName: 'STAGED' } });
    expect(details).toMatchObject({ status: 200 });
  });
});

it('needs the permission to anonymize too [DECISIONS §13]', async () => {
  const { token } = await test.signInAs('Operator');
  expect(await cloneAnonymized('STAGED', 'FORBIDDEN', { token })).toMatchObject({
    status: 403,
    message: "You do not have the permission 'databases.purge'.",
  });
});
