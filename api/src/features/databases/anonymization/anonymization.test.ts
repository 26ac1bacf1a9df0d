import { anonymizationReport } from '@apotheca/contract/anonymization';
import { purgeRoutes } from '@apotheca/contract/purges';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymizing, type Row, type Snapshot } from '../../../testing/anonymizing.ts';
import { type Answer, useTestApp } from '../../../testing/app.ts';
import { PLANTED, plant } from '../../../testing/planted-person.ts';
import { getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();
const { anonymize, inside, createFilled, snapshot } = anonymizing(test);

const columnOf = (tables: Snapshot, table: string, column: string) =>
  [...(tables.get(table)?.values() ?? [])].map((row) => row[column]);

/** All rows of a database, and the samples in its statistics, as text. */
async function everything(name: string): Promise<string> {
  return inside(name, async (client) => {
    const { rows } = await client.query<{ table: string }>(`
      select c.oid::regclass::text as table from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'apotheca', 'apotheca_purged')`);
    const texts: string[] = [];
    for (const { table } of rows) {
      const { rows: found } = await client.query<{ text: string }>(
        `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${table} t`,
      );
      texts.push(found[0]?.text ?? '');
    }
    const samples = await client.query<{ text: string }>(`
      select coalesce(string_agg(concat_ws(' ', most_common_vals, histogram_bounds), E'\\n'), '') as text
      from pg_stats where schemaname in ('public', 'apotheca', 'apotheca_purged')`);
    return [...texts, samples.rows[0]?.text ?? ''].join('\n');
  });
}

const DATES = /date$|_at$|_on$|_edition$/;

describe('anonymizing', () => {
  let before: Snapshot;
  let after: Snapshot;
  let answer: Answer;

  beforeAll(async () => {
    await createFilled('PEOPLE', 60);
    await inside('PEOPLE', async (client) => {
      await plant(client);
      await client.query('analyze');
    });
    const wanted = { query: { databaseName: 'PEOPLE' }, body: ['trlogs', 'wslogs'] };
    expect(await test.call(purgeRoutes.purge, wanted)).toMatchObject({ status: 200 });
    await inside('PEOPLE', async (client) => {
      await client.query(
        `insert into wslogs (correlation_id, direction, service, method, url, status_code, duration_ms)
         values (gen_random_uuid(), 'outbound', 'athena', 'GET', 'x', 200, 1)`,
      );
      await client.query("insert into trlogs (action, outcome, duration_ms) values ('scan', 'failed', 1)");
      await plant(client);
    });
    before = await snapshot('PEOPLE');
    const text = (await everything('PEOPLE')).toLowerCase();
    for (const value of Object.values(PLANTED)) expect(text).toContain(value.toLowerCase());
    answer = await anonymize('PEOPLE');
    after = await snapshot('PEOPLE');
  });

  it('ends with a report in the shape of the contract, and audits counts only [DECISIONS §9]', async () => {
    expect(answer.message).toMatch(/^Success! PEOPLE has been anonymized: [\d,]+ rows changed, no old value found\.$/);
    expect(anonymizationReport.parse(answer.result)).toEqual(answer.result);
    const { id } = await getDatabaseByName(test.context, 'PEOPLE');
    const entry = await test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('entityId', '=', id)
      .where('action', '=', 'databases.anonymize')
      .executeTakeFirstOrThrow();
    expect(entry.changes).toEqual({
      name: 'PEOPLE',
      columns: answer.result.columns.length,
      rows: answer.result.rows,
      valuesLookedFor: answer.result.scan.values,
      valuesFound: 0,
    });
  });

  it.each(Object.entries(PLANTED))(
    'removes the planted %s from every column, free text, JSON, kept row and statistics [DECISIONS §9]',
    async (_, value) => {
      expect((await everything('PEOPLE')).toLowerCase()).not.toContain(value.toLowerCase());
    },
  );

  it('leaves no old name, number or address of anybody [DECISIONS §9]', async () => {
    const text = await everything('PEOPLE');
    const columns = ['ssn', 'medical_record_number', 'phone', 'email', 'address_line', 'insurance_member_id'];
    const values = columns.flatMap((column) => columnOf(before, 'patients', column)).filter(Boolean) as string[];
    expect(values.length).toBeGreaterThan(200);
    expect(values.filter((value) => text.includes(value))).toEqual([]);
    const names = ['users', 'patients'].flatMap((table) => columnOf(before, table, 'last_name')) as string[];
    const words = new Set(text.split(/[^\p{L}]+/u));
    expect(names.filter((name) => words.has(name))).toEqual([]);
  });

  it('keeps a person the same person across tables and spellings [DECISIONS §9]', () => {
    const last = (table: string) => [...(after.get(table)?.values() ?? [])].at(-1) as Row & Record<string, string>;
    const patient = last('patients');
    const person = last('athena_persons');
    const first = patient.first_name;
    expect(first).toBe(String(person.first_name).toUpperCase());
    expect(patient).toMatchObject({
      last_name: person.last_name,
      guardian_name: `${person.last_name}, ${person.first_name}`,
      ssn: person.ssn,
      email: person.email,
      address_line: person.address_line,
      city: person.city,
      postal_code: person.postal_code,
      medical_record_number: last('athena_patients').medical_record_number,
      insurance_member_id: last('athena_patients').insurance_member_id,
    });
    expect(String(patient.phone).replace(/\D/g, '')).toBe(String(person.phone).replace(/\D/g, ''));
    expect(last('users')).toMatchObject({ first_name: person.first_name, last_name: person.last_name });
    expect(last('athena_orders').ordering_provider).toMatch(
      new RegExp(`^\\w+\\. ${person.first_name} ${person.last_name}$`),
    );
    expect(last('vendor_masters').contact_name).toBe(`${person.first_name} ${person.last_name}`);
    expect(last('shot_extensions').consent_given_by).toBe(`${person.first_name} ${person.last_name}`);
    expect(String(last('users').user_name).split('.')[0]).toBe(String(person.first_name).toLowerCase());
  });

  it('gives different people different names, numbers and addresses [DECISIONS §9]', () => {
    for (const column of ['first_name', 'last_name', 'ssn', 'phone', 'email', 'address_line', 'account_number']) {
      const distinct = (tables: Snapshot) => new Set(columnOf(tables, 'patients', column)).size;
      expect(distinct(after), column).toBe(distinct(before));
    }
  });

  it('keeps the shapes of numbers, and makes none that could be somebody’s [DECISIONS §9]', () => {
    const all = (table: string, column: string) => columnOf(after, table, column).filter(Boolean);
    for (const ssn of all('patients', 'ssn')) expect(ssn).toMatch(/^9\d\d-[0-4]\d-\d{4}$/);
    for (const email of all('patients', 'email')) expect(email).toMatch(/^person-\w+@example\.invalid$/);
    for (const url of all('wslogs', 'url')) expect(url).toMatch(/^https:\/\/example\.invalid\/\w+$/);
    for (const address of all('wslogs', 'client_address')) expect(address).toMatch(/^2001:db8:/);
    expect([...(after.get('patients')?.values() ?? [])].at(-1)).toMatchObject({
      phone: expect.stringMatching(/^\([01]\d\d\) \d{3}-\d{4}$/),
      fax: expect.stringMatching(/^\d{3}\.\d{3}\.\d{4}$/),
      postal_code: expect.stringMatching(/^\d{5}-\d{4}$/),
      account_number: expect.stringMatching(/^[A-Z]{3}\/\d{3}-\d{4}$/),
      notes: 'Text removed',
    });
  });

  it('keeps every key, every reference and every column that identifies nobody [DECISIONS §9]', async () => {
    const treated = new Set(answer.result.columns.map(({ table, column }: Row) => `${table}.${column}`));
    for (const [table, rows] of before) {
      const kept = (row: Row) => Object.entries(row).filter(([column]) => !treated.has(`${table}.${column}`));
      expect([...(after.get(table)?.values() ?? [])].map(kept), table).toEqual([...rows.values()].map(kept));
    }
    for (const [table, rows] of before) {
      for (const row of rows.values()) {
        const absent = (value: unknown) => value === null;
        const now = after.get(table)?.get(row.id) as Row;
        expect(Object.values(now).map(absent), `${table} ${row.id}`).toEqual(Object.values(row).map(absent));
      }
    }
    await inside('PEOPLE', async (client) => {
      const { rows } = await client.query<{ statement: string }>(`
        select format('alter table %s drop constraint %I; alter table %1$s add constraint %2$I %s', conrelid::regclass,
          conname, pg_get_constraintdef(oid)) as statement
        from pg_constraint where contype in ('f', 'c') and connamespace = 'public'::regnamespace`);
      expect(rows.length).toBeGreaterThan(100);
      await client.query(['begin', ...rows.map(({ statement }) => statement), 'rollback'].join(';'));
    });
  });

  it('keeps the year and the order of all dates and moments, and changes them [DECISIONS §9]', () => {
    const pairs = answer.result.columns
      .filter(({ kind }: Row) => kind === 'date')
      .flatMap(({ table, column }: { table: string; column: string }) =>
        [...(before.get(table)?.values() ?? [])].map((row) => ({
          isDay: String(row[column]).length === 10,
          old: row[column],
          new: after.get(table)?.get(row.id)?.[column],
        })),
      )
      .filter(({ old }: { old: unknown }) => old !== null) as { isDay: boolean; old: string; new: string }[];
    expect(pairs.length).toBeGreaterThan(1_000);
    expect(pairs.filter((pair) => pair.old.slice(0, 4) !== pair.new.slice(0, 4))).toEqual([]);
    for (const isDay of [true, false]) {
      const sorted = pairs
        .filter((pair) => pair.isDay === isDay)
        .map((pair) => ({ old: Date.parse(pair.old), new: Date.parse(pair.new) }))
        .sort((a, b) => a.old - b.old);
      const wrong = sorted.filter((pair, index) => {
        const previous = sorted[index - 1];
        return previous && (pair.new < previous.new || (pair.old === previous.old && pair.new !== previous.new));
      });
      expect(wrong).toEqual([]);
    }
    const same = pairs.filter((pair) => pair.old === pair.new);
    expect(same.filter(({ old }) => !/-01-01|-12-31/.test(old))).toEqual([]);
  });

  it('treats a date like the identifying date that a check compares it with [DECISIONS §9]', () => {
    expect(answer.result.columns).toContainEqual(
      expect.objectContaining({ table: 'shot_extensions', column: 'statement_edition', kind: 'date' }),
    );
    const named = answer.result.columns.map(({ column }: Row) => column);
    expect(named).not.toContain('expires_on');
    for (const { column, kind } of answer.result.columns) if (kind === 'date') expect(column).toMatch(DATES);
  });

  it('reports what was changed, and that no old value was found [DECISIONS §9]', () => {
    let changedRows = 0;
    const byColumn = new Map<string, number>();
    for (const [table, rows] of before) {
      for (const row of rows.values()) {
        const now = after.get(table)?.get(row.id) as Row;
        const changed = Object.keys(row).filter((key) => JSON.stringify(row[key]) !== JSON.stringify(now[key]));
        if (changed.length > 0) changedRows += 1;
        for (const column of changed) {
          byColumn.set(`${table}.${column}`, (byColumn.get(`${table}.${column}`) ?? 0) + 1);
        }
      }
    }
    expect(answer.result.rows).toBe(changedRows);
    const reported = answer.result.columns.filter(({ rows }: { rows: number }) => rows > 0);
    expect(new Map(reported.map(({ table, column, rows }: Row) => [`${table}.${column}`, rows]))).toEqual(byColumn);
    expect(answer.result.scan).toMatchObject({ found: 0 });
    expect(answer.result.scan.values).toBeGreaterThan(300);
  });

  it('leaves no samples of old values in the statistics of tables that are empty now [DECISIONS §9]', async () => {
    await createFilled('EMPTIED', 30);
    const names = (await inside('EMPTIED', async (client) => {
      await client.query('analyze');
      const { rows } = await client.query<{ name: string }>('select distinct contact_name as name from vendor_masters');
      await client.query('truncate vendor_masters cascade');
      return rows.map(({ name }) => name);
    })) as string[];
    expect(await everything('EMPTIED')).toContain(names[0]);
    expect(await anonymize('EMPTIED')).toMatchObject({ status: 200 });
    const text = await everything('EMPTIED');
    expect(names.filter((name) => text.includes(name))).toEqual([]);
  });

  it('drops the kept rows of purges [DECISIONS §9]', async () => {
    const listed = await test.call(purgeRoutes.listPurges, { query: { databaseName: 'PEOPLE' } });
    expect(listed.result).toEqual([]);
  });

  it('can be repeated, with other new values [DECISIONS §9]', async () => {
    expect(await anonymize('PEOPLE')).toMatchObject({ status: 200, result: { scan: { found: 0 } } });
    const again = await snapshot('PEOPLE');
    for (const column of ['first_name', 'ssn', 'email', 'postal_code', 'phone']) {
      const values = new Set(columnOf(after, 'patients', column).filter(Boolean));
      expect(
        columnOf(again, 'patients', column).filter((value) => values.has(value)),
        column,
      ).toEqual([]);
    }
  });

  it('treats people whose numbers are all of one shape [DECISIONS §9]', async () => {
    await createFilled('PLAIN', 1);
    await inside('PLAIN', (client) =>
      client.query(`
        insert into patients (medical_record_number, account_number, insurance_member_id, first_name, last_name, birth_date, sex)
        select 100000 + n, 500000 + n, 'ID ' || 900000 + n, 'Ana', 'Moreau', '1990-01-01', 'female' from generate_series(1, 3000) n`),
    );
    expect(await anonymize('PLAIN')).toMatchObject({ status: 200, result: { scan: { found: 0 } } });
    const { rows } = await inside('PLAIN', (client) =>
      client.query(`
        select count(distinct medical_record_number)::int as records, count(distinct account_number)::int as accounts
        from patients where medical_record_number ~ '^[0-9]{6}$' and account_number ~ '^[0-9]{6}$'`),
    );
    expect(rows).toEqual([{ records: 3_000, accounts: 3_000 }]);
  });
});
