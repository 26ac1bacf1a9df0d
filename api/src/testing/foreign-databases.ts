import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { migrateTenantDatabase } from '../db/migrate.ts';
import { insertSampleRows } from '../demo/sample-rows.ts';
import { copyOf, createEmptyDatabase, type TestDatabase, withClient } from './databases.ts';
import { testTools } from './postgres-version.ts';

/** A database that is not of this platform: rows of a practice in tables that others have made. */
export interface ForeignShape {
  title: string;
  encoding?: 'LATIN1' | 'SQL_ASCII';
  /** Whether it begins with the tables and rows of a practice; else it is empty. */
  isPractice: boolean;
  /** Makes the shape. */
  sql: string;
  expected: Expectation;
}

/** What plan and report say of a shape. What is absent is none. */
interface Expectation {
  /** How many of the 37 tables are in which state. */
  states: Partial<Record<'fits' | 'mapped' | 'missing', number>>;
  /** Beginnings of what is said of rejected rows: table, kind, column and reason. Rows that refer to them are rejected too. */
  reasons?: string[];
  leftOut?: string[];
  extra?: string[];
  /** Names of locations that are there. */
  names?: string[];
}

/** Takes every rule from the tables, so that they can hold anything. */
const WITHOUT_RULES = `
  do $$ declare rule record; begin
    for rule in select conrelid::regclass as target, conname from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n' order by contype = 'f' desc
    loop execute format('alter table %s drop constraint %I', rule.target, rule.conname); end loop;
    for rule in select oid::regclass as name from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace
    loop execute format('drop index %s', rule.name); end loop;
    for rule in select a.attrelid::regclass as target, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull and a.attidentity = ''
    loop execute format('alter table %s alter %I drop not null', rule.target, rule.attname); end loop;
    for rule in select a.attrelid::regclass as target, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''
    loop
      execute format('alter table %s alter %I drop identity', rule.target, rule.attname);
      execute format('alter table %s alter %I drop not null', rule.target, rule.attname);
    end loop;
  end $$;`;

/** Makes every column of the tables a text. */
const AS_TEXTS = `
  do $$ declare found record; begin
    for found in select a.attrelid::regclass as target, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and a.atttypid <> 'text'::regtype
    loop
      execute format('alter table %s alter %I drop default, alter %I type text using %I::text',
        found.target, found.attname, found.attname, found.attname);
    end loop;
  end $$;`;

/** A practice of another maker, in few words. */
const LITTLE = `
  create table locations (id integer, code varchar(20), name varchar(80), kind varchar(20));
  insert into locations values (1, 'MAIN', 'Main Street', 'clinic'), (2, 'N', 'North', 'clinic');`;

export const FOREIGN_SHAPES: readonly ForeignShape[] = [
  { title: 'the same tables, of somebody else', isPractice: true, sql: '', expected: { states: { fits: 37 } } },
  {
    title: 'more tables and columns, in other schemas and with quoted names',
    isPractice: true,
    sql: `
      create schema billing;
      create table billing.invoices (id bigint primary key, amount money);
      insert into billing.invoices select i, i from generate_series(1, 7) i;
      create table "We ird, ""Table"" (1)" ("a b" text, "c,""d)" int);
      insert into "We ird, ""Table"" (1)" values (E'tab\\t, line\\n and \\\\', 1), (null, null), ('', 2);
      create table nothing_in_it ();
      insert into nothing_in_it default values;
      select lo_from_bytea(0, 'a picture');
      create view everybody as select first_name from patients;
      alter table patients add shoe_size integer, add "Ward, old" text default 'A';
      update patients set shoe_size = 40 where id % 2 = 0;`,
    expected: {
      states: { fits: 36, mapped: 1 },
      leftOut: ['patients.shoe_size: 1', 'patients.Ward, old: 3'],
      extra: ['billing.invoices: 7', 'We ird, "Table" (1): 3', 'nothing_in_it: 1'],
    },
  },
  {
    title: 'fewer tables and columns',
    isPractice: true,
    sql: `
      drop table athena_extensions, athena_overrides, athena_order_originals, shot_extensions, transactions cascade;
      alter table patients drop notes, drop created_at, drop vaccine_program;
      alter table vendor_masters drop is_active;`,
    expected: { states: { fits: 30, mapped: 2, missing: 5 }, reasons: ['trlogs reference: insert or update'] },
  },
  {
    title: 'renamed tables and columns, another schema, another order',
    isPractice: true,
    sql: `
      create schema clinic;
      alter table locations rename to "Location";
      alter table "Location" set schema clinic;
      alter table use_units rename to "UseUnits";
      alter table item_histories rename to ITEM_HISTORY;
      alter table order_status_masters rename to orderstatusmaster;
      alter table patients rename first_name to "FirstName";
      alter table patients rename medical_record_number to "MEDICAL-RECORD-NUMBER";
      create table vendormasters as
        select is_active, website, email, fax, phone, contact_name, account_number, name as "Names", code, id from vendor_masters;
      drop table vendor_masters cascade;`,
    expected: { states: { fits: 31, mapped: 6 } },
  },
  {
    title: 'texts in LATIN1',
    encoding: 'LATIN1',
    isPractice: false,
    sql: `${LITTLE}
      insert into locations values (3, 'K', U&'K\\00f6ln \\00e0 c\\00f4t\\00e9', 'clinic'), (4, 'C1', 'x' || chr(133), 'room');`,
    expected: {
      states: { mapped: 1, missing: 36 },
      names: ['Köln à côté', 'Main Street', 'North', 'x\u0085'],
    },
  },
  {
    title: 'bytes that are no text',
    encoding: 'SQL_ASCII',
    isPractice: false,
    sql: `${LITTLE}
      insert into locations values (3, 'GOOD', E'K\\xc3\\xb6ln', 'clinic'), (4, 'BAD', E'K\\xf6ln', 'clinic'),
        (5, 'CUT', E'K\\xc3', 'room');`,
    expected: {
      states: { mapped: 1, missing: 36 },
      reasons: ['locations encoding name: Its bytes are no text in the encoding of the source'],
      names: ['Köln', 'Main Street', 'North'],
    },
  },
  {
    title: 'broken references, and children before their parents',
    isPractice: true,
    sql: `${WITHOUT_RULES}
      delete from products where id = (select min(product_id) from items);
      update users set home_location_id = 987654 where id = (select min(id) from users);
      insert into locations (id, parent_location_id, code, name, kind, is_active, created_at)
        select 10000 + i, 10001 + i, 'DEEP' || i, 'Deep', 'room', true, now() from generate_series(1, 40) i;
      insert into locations (id, parent_location_id, code, name, kind, is_active, created_at) values
        (10041, null, 'TOP', 'Top', 'clinic', true, now()), (10050, 10051, 'LOST', 'Lost', 'room', true, now());`,
    expected: {
      states: { fits: 37 },
      reasons: [
        'items reference: insert or update',
        'locations reference: insert or update on table "locations" violates foreign key constraint "locations__parent_location_id": Key (parent_location_id)=(10051)',
        'users reference: insert or update on table "users" violates foreign key constraint "users__home_location_id": Key (home_location_id)=(987654)',
      ],
    },
  },
  {
    title: 'duplicates, empty values and broken rules',
    isPractice: true,
    sql: `${WITHOUT_RULES}
      insert into units select * from units where id <= 2;
      insert into patients select * from patients where id = (select min(id) from patients);
      update users set user_name = (select max(user_name) from users) where id = (select min(id) from users);
      update patients set last_name = null where id = (select max(id) from patients);
      update product_masters set kind = 'poison' where id = (select max(id) from product_masters);
      insert into locations (id, code) values (null, 'NO ID');`,
    expected: {
      states: { fits: 37 },
      reasons: [
        'locations required id: null value in column "id"',
        'patients duplicate: duplicate key value violates unique constraint "patients__id": Key (id)=(1)',
        'patients required last_name: null value in column "last_name"',
        'product_masters rule: new row for relation "product_masters" violates check constraint',
        'units duplicate: duplicate key value violates unique constraint "units__id"',
        'users duplicate: duplicate key value violates unique constraint "users__user_name"',
      ],
    },
  },
  {
    title: 'texts instead of numbers, days and moments',
    isPractice: true,
    sql: `${WITHOUT_RULES}${AS_TEXTS}
      update patients set birth_date = '31.12.1980' where id = (select min(id) from patients);
      update patients set birth_date = 'today' where id = (select max(id) from patients);
      update products set price = price || '9' where id = (select min(id) from products);
      update items set expires_on = expires_on || ' 13:45' where id = (select min(id) from items);
      update units set is_active = 'perhaps' where id = (select max(id) from units);
      update shot_extensions set custom_values = '{"a": {"b": 1, "b": 2}}' where id = (select min(id) from shot_extensions);`,
    expected: {
      states: { fits: 37 },
      reasons: [
        'items value expires_on: "2',
        'patients value birth_date: "31.12.1980" is not written as year-month-day',
        'patients value birth_date: "today" is not written as year-month-day',
        'products value price: "',
        'shot_extensions value custom_values: An object has a name twice',
        'units value is_active: invalid input syntax for type boolean: "perhaps"',
      ],
    },
  },
  {
    title: "values beyond PostgreSQL's limits",
    isPractice: false,
    sql: `
      create table module_custom_fields (id int, module text, field_name text, label text, data_type text, choices text);
      insert into module_custom_fields values (1, 'shots', 'site', 'Site', 'choice', '{left,right}'),
        (2, 'shots', 'deep', 'Deep', 'choice', '{{{{{{{a}}}}}}}');
      create table athena_order_originals (id int, athena_order_id int, payload text, received_at date);
      insert into athena_order_originals values (1, 1, repeat('[', 20000), '2026-01-01');`,
    expected: {
      states: { fits: 1, mapped: 1, missing: 35 },
      reasons: [
        'athena_order_originals value payload: stack depth limit exceeded',
        'module_custom_fields value choices: number of array dimensions (7) exceeds the maximum allowed (6)',
      ],
    },
  },
  {
    title: 'twenty thousand rows',
    isPractice: false,
    sql: `
      create table units (id bigint, name text, abbreviation text, is_active boolean);
      insert into units select i, 'Unit ' || case when i % 997 = 0 then i - 1 else i end, 'U' || i, i % 3 > 0
        from generate_series(1, 20000) i;`,
    expected: {
      states: { fits: 1, missing: 36 },
      reasons: ['units duplicate: duplicate key value violates unique constraint "units__name": Key (name)=(Unit '],
    },
  },
];

/** A foreign database as pg_dump writes it, with the rows of each of its tables. */
export interface ForeignArchive {
  archive: Buffer;
  /** Of each table the ids of its rows, or nulls where it has none, by its name with its schema. */
  rows: Record<string, (string | null)[]>;
}

/** The practice that shapes begin with; made once for a test's file. */
let practice: Promise<TestDatabase> | undefined;

async function makePractice(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await migrateTenantDatabase(database.url);
  await withClient(database.url, async (client) => {
    await insertSampleRows(client, { patients: 3, seed: 5 });
    await client.query('drop schema apotheca, apotheca_purged cascade');
  });
  return database;
}

/** Drops what the shapes of a test's file were made of. */
export async function dropPractice(): Promise<void> {
  await (await practice)?.drop();
  practice = undefined;
}

/** Runs `work` with a database of a shape, and drops it. */
export async function withForeignDatabase<T>(shape: ForeignShape, work: (url: string) => Promise<T>): Promise<T> {
  practice ??= makePractice();
  const database = await (shape.isPractice ? copyOf(await practice) : createEmptyDatabase(shape.encoding));
  try {
    await withClient(database.url, (client) => client.query(`set search_path = public; ${shape.sql}`));
    return await work(database.url);
  } finally {
    await database.drop();
  }
}

/** The archive of a database of a shape. */
export const makeForeignArchive = (shape: ForeignShape): Promise<ForeignArchive> =>
  withForeignDatabase(shape, async (url) => ({
    archive: await dumpForeign(url),
    rows: await withClient(url, readRows),
  }));

/** Runs pg_dump on a database. */
export async function dumpForeign(url: string, args: readonly string[] = []): Promise<Buffer> {
  const path = join(tmpdir(), `foreign-${process.pid}-${Math.random()}.dump`);
  const { pgDump } = await testTools();
  try {
    await promisify(execFile)(pgDump, ['-Fc', ...args, `--file=${path}`, `--dbname=${url}`]);
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** The ids of all rows, table by table. */
export async function readRows(client: pg.Client): Promise<ForeignArchive['rows']> {
  const { rows: tables } = await client.query<{ name: string; sql: string; id: string }>(`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name,
      format('%I.%I', n.nspname, c.relname) as sql,
      case when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id') then 'id::text' else 'null' end as id
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema|apotheca)' order by 1`);
  const found: ForeignArchive['rows'] = {};
  for (const { name, sql, id } of tables) {
    const { rows } = await client.query<{ id: string | null }>(`select ${id} as id from ${sql} order by 1`);
    found[name] = rows.map((row) => row.id);
  }
  return found;
}
