import pg from 'pg';
import { expect, it } from 'vitest';
import { createEmptyDatabase, withClient } from '../../testing/databases.ts';
import { messageOf } from './postgres-errors.ts';
import { withoutValues } from './quoted-values.ts';

const VALUE = `SECRET "1961": value "x" is out of range\n`;

/** A statement that fails by a value, and what is told of it. */
const STATEMENTS: [string, string][] = [
  ['select $1::date', 'invalid input syntax for type date: "…"'],
  ['select $1::bigint', 'invalid input syntax for type bigint: "…"'],
  ['select $1::uuid', 'invalid input syntax for type uuid: "…"'],
  [`select '19611961196119611961'::integer`, 'value "…" is out of range for type integer'],
  [`select '1961e1961'::double precision`, '"…" is out of range for type double precision'],
  [`select '1961-19-61'::date`, 'date/time field value out of range: "…"'],
  ['select make_date(1961, 19, 61)', 'date field value out of range: "…"'],
  [`select now() at time zone '1961"'`, 'time zone "…" not recognized'],
  ['select $1::mood', 'invalid input value for enum mood: "…"'],
  ['select $1::integer[]', 'malformed array literal: "…"'],
  ['select $1::int4range', 'malformed range literal: "…"'],
  [`select decode('1961"', 'base64')`, 'invalid symbol "…" found while decoding base64 sequence'],
  [`select to_date('x1961', 'YYYY')`, 'invalid value "…" for "YYYY"'],
  [`select convert_from('\\x19ff61', 'UTF8')`, 'invalid byte sequence for encoding "UTF8": …'],
];

it('a value that PostgreSQL does not take is not told; the sentence and the names in it are [§2.13]', async () => {
  await withClient((await createEmptyDatabase()).url, async (client) => {
    await client.query(`create type mood as enum ('fine')`);
    for (const [statement, told] of STATEMENTS) {
      const values = statement.includes('$1') ? [VALUE] : [];
      const error = await client.query(statement, values).catch((failure: pg.DatabaseError) => failure);
      if (!(error instanceof pg.DatabaseError)) throw new Error(`${statement} has not failed`);
      expect(error).toMatchObject({ code: expect.stringMatching(/^22/) });
      expect(messageOf(error)).toBe(told);
      const line = `pg_restore: error: COPY failed for table "patients": ERROR:  ${error.message}`;
      expect(withoutValues(line)).toBe(`pg_restore: error: COPY failed for table "patients": ERROR:  ${told}`);
      // The program's output is read by lines.
      expect(withoutValues(line.split('\n')[0] ?? '')).not.toMatch(/SECRET|1961/);
    }
  });
});

it.each(['value "196', 'time zone "19\nERROR: 61', '"1961e'])(
  'a value is not told where the line ends within it: %s [§2.13]',
  (said) => {
    expect(withoutValues(`ERROR:  ${said}`)).not.toMatch(/19/);
  },
);

it.each([
  'pg_restore: error: COPY failed for table "patients": ERROR:  null value in column "unit_id" of relation "patients" violates not-null constraint',
  'pg_dump: error: connection to server at "127.0.0.1", port 5432 failed: FATAL:  password authentication failed for user "db_1"',
  'pg_restore: error: could not execute query: ERROR:  unrecognized configuration parameter "transaction_timeout"',
  'pg_restore: error: COPY failed: ERROR:  could not extend file "base/1/2": No space left on device',
  'pg_dump: error: connection to server at "127.0.0.1" failed: FATAL:  invalid value for parameter "lock_timeout": "wrong"',
  'pg_restore: error: could not execute query: ERROR:  "patients" is not a sequence',
])('names are told: %s [§2.13]', (said) => {
  expect(withoutValues(said)).toBe(said);
});

it('characters that nobody sees, which a terminal would obey, are not told [§2.13]', () => {
  expect(withoutValues('ERROR:  \u001b[2Jnothing happened\r')).toBe('ERROR:  \ufffd[2Jnothing happened\ufffd');
});
