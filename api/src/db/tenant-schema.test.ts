import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertSampleRows } from '../demo/sample-rows.ts';
import { createEmptyDatabase, type TestDatabase, withClient } from '../testing/databases.ts';
import { migrateTenantDatabase } from './migrate.ts';

const TABLES = [...TENANT_TABLE_NAMES].sort();
const PATIENTS = 60;

/** The identifiers of HIPAA Safe Harbor that a column's comment may name, and 'free text', which may hold any of them. */
const IDENTIFIER_KINDS = [
  ...['name', 'address', 'date', 'phone', 'fax', 'email', 'ssn', 'medical record number', 'health plan number'],
  ...['account number', 'licence number', 'url', 'ip address', 'photo', 'unique number', 'free text', 'json'],
];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrateTenantDatabase(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await insertSampleRows(client, { patients: PATIENTS, seed: 1 });
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the tenant schema', () => {
  test('has the tables of the checklist, and no other [§3]', async () => {
    expect(await column("select tablename from pg_tables where schemaname = 'public'")).toEqual(TABLES);
  });

  test('is in public, whatever the search path is [§3]', async () => {
    const other = await createEmptyDatabase();
    await withClient(other.url, async (connection) => {
      const { rows } = await connection.query('select current_database() as name');
      await connection.query(`alter database ${pg.escapeIdentifier(rows[0].name)} set search_path = apotheca, public`);
    });
    await migrateTenantDatabase(other.url);
    const tables = await withClient(other.url, (connection) =>
      connection.query("select from pg_tables where schemaname = 'public'"),
    );
    expect(tables.rowCount).toBe(TABLES.length);
    await other.drop();
  });

  test('gives every table a primary key and a comment [§3]', async () => {
    const bare = await column(`
      select c.relname from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'apotheca'::regnamespace) and c.relkind = 'r'
        and (obj_description(c.oid) is null
          or not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'))`);
    expect(bare).toEqual([]);
  });

  test('indexes every foreign key [§3]', async () => {
    const unindexed = await column(`
      select k.conname from pg_constraint k
      where k.contype = 'f' and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indpred is null
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`);
    expect(unindexed).toEqual([]);
  });

  test('never empties one table by deleting from another [§3]', async () => {
    const cascading = await column(
      "select conname from pg_constraint where contype = 'f' and confdeltype not in ('r', 'n')",
    );
    expect(cascading).toEqual([]);
  });

  test('names constraints and indexes after their table [§3]', async () => {
    const strange = await column(`
      select k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
      where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c')
        and (not starts_with(k.conname, c.relname || '__') or octet_length(k.conname) > 62)
      union all
      select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace
        and not starts_with(i.indexrelid::regclass::text, c.relname || '__')`);
    expect(strange).toEqual([]);
  });

  test('can be emptied table by table in one transaction [§3]', async () => {
    const references = await client.query<{ from: string; to: string }>(`
      select conrelid::regclass::text as from, confrelid::regclass::text as to
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`);
    await rolledBack(async () => {
      let left = TABLES as string[];
      while (left.length > 0) {
        const free = left.filter(
          (table) => !references.rows.some(({ from, to }) => to === table && left.includes(from)),
        );
        expect(free, `a cycle among ${left}`).not.toEqual([]);
        for (const table of free) await client.query(`delete from ${table}`);
        left = left.filter((table) => !free.includes(table));
      }
    });
  });
});

describe('identifying columns', () => {
  test('say which identifier they hold [§3]', async () => {
    const comments = await column("select description from pg_description where description ilike 'identifier%'");
    const kinds = comments.map((comment) => /^identifier: ([a-z ]+?)(?: \([a-z ]+\))?$/.exec(comment)?.[1]);
    expect(kinds.length).toBeGreaterThan(80);
    expect(IDENTIFIER_KINDS).toEqual(expect.arrayContaining([...new Set(kinds)]));
  });

  test('are all that identify a patient: no other column holds a name, number or address of one [§3]', async () => {
    const identifiers = await column(`
      select distinct value from patients, unnest(array[
        first_name || ' ' || last_name, medical_record_number, ssn, email, phone, mobile_phone, fax, address_line,
        insurance_member_id, account_number, guardian_name, guardian_phone]) as value
      where value is not null`);
    const unmarked = await client.query<{ table: string; column: string }>(`
      select c.oid::regclass::text as table, quote_ident(a.attname) as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and coalesce(col_description(c.oid, a.attnum), '') not like 'identifier: %'`);
    const leaks: string[] = [];
    for (const { table, column: name } of unmarked.rows) {
      const found = await client.query(
        `select from ${table} where exists (select from unnest($1::text[]) i where strpos(${name}::text, i) > 0) limit 1`,
        [identifiers],
      );
      if (found.rowCount) leaks.push(`${table}.${name}`);
    }
    expect(leaks).toEqual([]);
  });

  test("are every moment of a patient's care [§3]", async () => {
    const unmarked = await column(`
      select c.relname || '.' || a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relname in ('patients', 'athena_orders', 'shots', 'transactions', 'trlogs') and a.attnum > 0
        and a.atttypid in ('date'::regtype, 'timestamptz'::regtype)
        and coalesce(col_description(c.oid, a.attnum), '') <> 'identifier: date'`);
    expect(unmarked).toEqual([]);
  });
});

describe('constraints', () => {
  test.each([
    ['items__quantity_on_hand_not_negative', 'update items set quantity_on_hand = -1'],
    ['items__available_before_expiry', "update items set expires_on = received_on where status = 'available'"],
    ['products__ndc_format', "update products set ndc = '1234-5678-90' where id = 1"],
    ['products__use_unit_id', 'update products set use_unit_id = (select max(id) from use_units) where id = 1'],
    ['shots__item_of_status', "update shots set item_id = null where status = 'given'"],
    [
      'inventory_transactions__quantity_sign',
      "update inventory_transactions set quantity = -quantity where kind = 'use'",
    ],
    ['purchase_orders__total_is_sum', 'update purchase_orders set total = total + 1'],
    ['patients__deceased_after_birth', 'update patients set deceased_on = birth_date - 1'],
    ['otps__code_hash_format', "update otps set code_hash = '123456'"],
    ['transactions__witness_is_another', 'update transactions set witness_user_id = user_id'],
    ['users__user_name', 'update users set user_name = (select upper(user_name) from users where id = 1) where id = 2'],
  ])('%s refuses [§3]', async (constraint, statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({ constraint });
  });

  test('protect rows that others refer to [§3]', async () => {
    await expect(client.query('delete from patients')).rejects.toMatchObject({
      // From version 18 on ON DELETE RESTRICT has a code of its own.
      code: expect.stringMatching(/^(23503|23001)$/),
    });
  });
});

describe('sample rows', () => {
  test('fill every table, and new ids follow theirs [§3]', async () => {
    for (const table of TABLES) {
      const { rows } = await client.query(
        `select max(id) as last, pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass) as next from ${table}`,
        [table],
      );
      expect(Number(rows[0].last), table).toBeGreaterThan(0);
      expect(rows[0].next, table).toBe(rows[0].last);
    }
  });

  test('are the same for the same seed, also when the role of the tenant inserts them, and differ for another [§3]', async () => {
    const rows = await checksums(client);
    expect(await checksumsOfSeed(1)).toEqual(rows);
    const others = await checksumsOfSeed(2);
    for (const table of [
      'patients',
      'users',
      'products',
      'items',
      'shots',
      'transactions',
      'athena_orders',
      'wslogs',
    ]) {
      expect(others[table], table).not.toBe(rows[table]);
    }
  });

  test('agree with each other: the ledger adds up to the stock [§3]', async () => {
    const wrong = await column(`
      select i.id from items i join inventory_transactions t on t.item_id = i.id
      group by i.id having sum(t.quantity) <> i.quantity_on_hand
      union all
      select item_id from (
        select item_id, balance_after, sum(quantity) over (partition by item_id order by id) as running from inventory_transactions
      ) ledger where balance_after <> running`);
    expect(wrong).toEqual([]);
  });

  test("agree with each other: nobody is given an expired lot, or another's order [§3]", async () => {
    const wrong = await column(`
      select s.id from shots s join items i on i.id = s.item_id
      where s.administered_at::date >= i.expires_on or s.administered_at::date < i.received_on
      union all
      select s.id from shots s join athena_orders o on o.id = s.athena_order_id join athena_patients p on p.id = o.athena_patient_id
      where p.patient_id <> s.patient_id`);
    expect(wrong).toEqual([]);
  });
});

describe("a tenant's own role", () => {
  test('may do everything with rows, but not with tables [§3]', async () => {
    await rolledBack(async () => {
      await client.query('set local role apotheca_tenant');
      await client.query("insert into locations (code, name, kind) values ('X', 'Storeroom', 'room')");
      await client.query("update locations set name = 'Annex' where code = 'X'");
      await client.query("delete from locations where code = 'X'");
      await client.query(`truncate ${TABLES.join(', ')}`);
    });
    await expect(asTenant('create table extra (id bigint)')).rejects.toMatchObject({ code: '42501' });
    await expect(asTenant('drop table wslogs')).rejects.toMatchObject({ code: '42501' });
  });

  test('reads the tables of the platform, and never writes them [§3]', async () => {
    await asTenant('select from apotheca.permissions, apotheca.schema_version');
    for (const table of ['apotheca.permissions', 'apotheca.schema_version']) {
      await expect(asTenant(`delete from ${table}`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('also gets rights on tables of later migrations [§3]', async () => {
    await rolledBack(async () => {
      await client.query('create table public.later (id bigint generated by default as identity primary key)');
      await client.query('set local role apotheca_tenant');
      await client.query('insert into later default values');
    });
  });
});

/** The first column of a query's rows, sorted, as texts. */
async function column(query: string): Promise<string[]> {
  const { rows } = await client.query<string[]>({ text: query, rowMode: 'array' });
  return rows.map(([value]) => String(value)).sort();
}

async function rolledBack(work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
  } finally {
    await client.query('rollback');
  }
}

function asTenant(statement: string): Promise<void> {
  return rolledBack(async () => {
    await client.query('set local role apotheca_tenant');
    await client.query(statement);
  });
}

async function checksums(connection: pg.Client): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await connection.query(
      `select md5(string_agg(t::text, e'\\n' order by id)) as sum from ${table} t`,
    );
    sums[table] = rows[0].sum;
  }
  return sums;
}

/** Checksums of the rows that the tenant's role inserts for a seed into a new database. */
async function checksumsOfSeed(seed: number): Promise<Record<string, string>> {
  const other = await createEmptyDatabase();
  await migrateTenantDatabase(other.url);
  const sums = await withClient(other.url, async (connection) => {
    await connection.query('set role apotheca_tenant');
    await insertSampleRows(connection, { patients: PATIENTS, seed });
    return checksums(connection);
  });
  await other.drop();
  return sums;
}
