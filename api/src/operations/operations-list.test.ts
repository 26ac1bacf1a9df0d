import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPlatformDatabase, type TestDatabase } from '../testing/databases.ts';
import { mostRowsRead } from '../testing/plans.ts';
import { operationsList } from './operations.repository.ts';

/** The newest version of the tenants' schema, as far as these tests go. */
const NEWEST = 10;

// No server runs on it: it would take what is queued here.
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createPlatformDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query('truncate operations, databases cascade'));

async function list(limit: number): Promise<string[]> {
  const { rows, values } = operationsList(NEWEST, limit).select(undefined);
  return (await client.query<{ id: string }>(rows, [...(values ?? [])])).rows.map(({ id }) => id);
}

/** The order as a rule for all operations at once, which reads and sorts all of them. */
async function listByRule(limit: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with grouped as (
       select id, coalesce(finished_at, created_at) as moment, case
         when state = 'running' then 0
         when state = 'queued' and actor_id is not null then 1
         when state = 'failed' and kind = 'upgrade' and exists (
           select from databases d where d.id = o.database_id and d.state = 'ready' and d.schema_version < $1
         ) and not exists (
           select from operations later
           where later.database_id = o.database_id and later.kind = 'upgrade' and later.created_at > o.created_at
         ) then 2
         when state <> 'queued' then 3
         else 4
       end as place
       from operations o
     )
     select id from grouped
     order by case when row_number() over (partition by place order by moment desc, id) <= 10 then place else 5 end,
       moment desc, id
     limit $2`,
    [NEWEST, limit],
  );
  return rows.map(({ id }) => id);
}

/** Databases of every state and of versions up to the newest one. */
const addDatabases = (count: number) =>
  client.query(
    `insert into databases (id, name, physical_name, role_name, role_password, state, created_at, schema_version)
     select gen_random_uuid(), 'DB ' || n, 'db_' || n, 'db_' || n, '', (array['ready', 'ready', 'deleting'])[1 + n % 3], now(), $2::int - n % 2
     from generate_series(1, $1::int) n`,
    [count, NEWEST],
  );

/** Operations at one of so many moments, of databases that are there, and of one that is gone. */
const addOperations = (count: number, moments: number, states: readonly string[]) =>
  client.query(
    `with places as (select array_agg(id) || gen_random_uuid() as ids from databases), random as (
       select (ids)[1 + floor(random() * cardinality(ids))] as database_id, ($3::text[])[1 + floor(random() * cardinality($3::text[]))] as state,
         floor(random() * $2::int) * interval '1 second' as age, floor(random() * $2::int) * interval '1 second' as duration, random() < 0.5 as is_upgrade, random() < 0.5 as is_of_person
       from generate_series(1, $1::int), places
     )
     insert into operations (id, kind, database_id, database_name, input, actor_id, actor_name, address, state, steps, size_bytes, created_at, finished_at)
     select gen_random_uuid(), case when is_upgrade then 'upgrade' else 'backup' end, database_id, '', '{}',
       case when is_of_person then gen_random_uuid() end, '', '', state, '{Working}', 0, timestamptz '2026-11-20 12:00Z' - age,
       case when state not in ('queued', 'running') then timestamptz '2026-11-20 12:00Z' - age + duration end
     from random`,
    [count, moments, states],
  );

describe('the list of operations', () => {
  it.each([
    ['of all kinds', ['running', 'queued', 'succeeded', 'failed', 'cancelled'], 300],
    ['that have ended', ['succeeded', 'failed'], 300],
    ['of which most have failed', ['failed', 'failed', 'failed', 'running'], 300],
    ['that wait', ['queued'], 300],
    ['that are few', ['running', 'queued', 'succeeded', 'failed'], 12],
    ['of one moment', ['running', 'queued', 'succeeded', 'failed'], 300, 1],
  ])(
    'has the rows and the order of its rule: operations %s [DECISIONS §8]',
    async (_, states, count, moments = 150) => {
      await addDatabases(90);
      await addOperations(count, moments, states);
      for (const limit of [50, 7, 1_000]) expect(await list(limit)).toEqual(await listByRule(limit));
    },
  );

  it('keeps a change of many databases when it ends: its own operations began after it [DECISIONS §8]', async () => {
    await addOperations(60, 1, ['succeeded']);
    const { rows } = await client.query<{ id: string }>(
      `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, finished_at)
       values (gen_random_uuid(), 'batch', gen_random_uuid(), '', '{}', '', '', 'succeeded', '{Working}', 0, '2026-11-20 11:59Z', '2026-11-20 12:01Z')
       returning id`,
    );
    expect((await list(50))[0]).toBe(rows[0]?.id);
  });

  it('does not read all that have ended [DECISIONS §8]', async () => {
    await addDatabases(300);
    await addOperations(40_000, 7_000_000, ['succeeded', 'succeeded', 'failed']);
    await addOperations(200, 7_000_000, ['queued', 'running']);
    await client.query('analyze operations, databases');
    const { rows, values } = operationsList(NEWEST, 50).select(undefined);
    expect(await mostRowsRead(client, rows, [...(values ?? [])])).toBeLessThan(2_000);
  });
});
