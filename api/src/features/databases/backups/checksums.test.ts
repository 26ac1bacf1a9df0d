import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase, withClient } from '../../../testing/databases.ts';
import { manifest } from './archive/archive-manifest.ts';
import { readChecksums, refuseDifferences } from './checksums.repository.ts';
import { inSnapshot } from './snapshot.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

const TYPES = `
  create collation anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create type mood as enum ('calm', 'busy');
  create domain share as int check (value <= 100);
  create type pair as (a int, b text)`;
/** By type: two values that differ, also where PostgreSQL may take them for equal. */
const VALUES: Record<string, [string, string]> = {
  bool: ['true', 'null'],
  int2: ['0', 'null'],
  int4: ['1', '-1'],
  int8: ['1', '4294967297'],
  numeric: ['1.1', '1.10000001'],
  float8: ['0', "'-0'"],
  text: ["'a'", "'A'"],
  'text collate anycase': ["'a'", "'A'"],
  'text[]': ["'{a,null}'", `'{a,"null"}'`],
  'varchar(9)': ["'a'", "'a '"],
  uuid: ["'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"],
  bytea: [String.raw`'\x00'`, String.raw`'\x'`],
  date: ["'2026-01-01'", "'infinity'"],
  timestamp: ["'2026-01-01 00:00'", "'2026-01-01 00:00:00.000001'"],
  timestamptz: ["'2026-01-01 00:00Z'", "'2026-01-01 00:00+1'"],
  interval: ["'1 month'", "'30 days'"],
  jsonb: [`'{"a": 1}'`, `'{"a": "1"}'`],
  json: [`'{"a": 1}'`, `'{"a":1}'`],
  inet: ["'::1'", "'::2'"],
  mood: ["'calm'", "'busy'"],
  share: ['1', '2'],
  pair: ["row (1, 'a')", "row (1, 'A')"],
};

/** The checksums of a table with these columns and rows, by the table's name. */
async function checksumOf(columns: string, ...rows: string[]): Promise<string | undefined> {
  return withClient(database.url, async (client) => {
    await client.query('begin');
    await client.query(`${TYPES}; create table t (${columns})`);
    for (const row of rows) await client.query(`insert into t values (${row})`);
    const [table] = await readChecksums(client);
    await client.query('rollback');
    expect(table).toMatchObject({ schema: 'public', name: 't', rows: rows.length });
    return table?.checksum;
  });
}

describe('the checksum of a table', () => {
  it.each(Object.entries(VALUES))('notices another value of type %s [§2.13]', async (type, [one, other]) => {
    const columns = `id int, value ${type}`;
    const checksum = await checksumOf(columns, `1, ${one}`, '2, null');
    expect(checksum).not.toBe('0');
    // The types themselves are made anew, so their ids are others.
    expect(await checksumOf(columns, '2, null', `1, ${one}`)).toBe(checksum);
    expect(await checksumOf(columns, `1, ${other}`, '2, null')).not.toBe(checksum);
    expect(await checksumOf(columns, '1, null', `2, ${one}`)).not.toBe(checksum);
  });

  it('notices values that have changed columns, and rows that are there twice or not at all [§2.13]', async () => {
    const columns = 'a text, b text';
    const checksum = await checksumOf(columns, "'x', 'y'", "'z', null");
    expect(await checksumOf(columns, "'y', 'x'", "'z', null")).not.toBe(checksum);
    expect(await checksumOf(columns, "'x', 'y'", "null, 'z'")).not.toBe(checksum);
    expect(await checksumOf(columns, "'x', 'y'")).not.toBe(checksum);
    expect(await checksumOf(columns, "'x', 'y'", "'z', null", "'z', null")).not.toBe(checksum);
  });

  it('is there for a table without rows or columns [§2.13]', async () => {
    expect(await checksumOf('a int')).toBe('0');
    expect(await checksumOf('')).toBe('0');
  });

  it('is read without running anything of the database [§2.13]', async () => {
    await withClient(database.url, async (client: pg.Client) => {
      await client.query(`
        create function fail() returns int language plpgsql as $f$ begin raise 'It ran.'; end $f$;
        create table t (a int, b int check (b = 1 or fail() = 1), c int generated always as (a + 1) stored);
        insert into t values (1, 1);
        create function fail_text(r t) returns text language sql as 'select fail()::text';
        create cast (t as text) with function fail_text(t);
        create function hashint8extended(bigint, bigint) returns bigint language sql as 'select fail()::bigint';
        create function sum(bigint) returns bigint language sql as 'select fail()::bigint';
        set search_path = public, pg_catalog`);
      const [table] = await inSnapshot(client, () => readChecksums(client));
      expect(table).toMatchObject({ name: 't', rows: 1 });
    });
  });
});

it('a manifest of version 1 has checksums of another kind: only its rows are compared [§2.13]', () => {
  const table = { schema: 'public', name: 't', rows: 2 };
  const old = { version: 1, tables: [{ ...table, checksum: '7' }], objects: [], privileges: [], largeObjects: 0 };
  const { tables } = manifest.parse(old);
  expect(() => refuseDifferences(tables, [{ ...table, checksum: '8' }])).not.toThrow();
  expect(() => refuseDifferences(tables, [{ ...table, rows: 3, checksum: '7' }])).toThrow(/rows of t are not those/);
  expect(manifest.parse({ ...old, version: 2 }).tables).toEqual(old.tables);
});
