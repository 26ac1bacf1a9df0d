import { expect, it } from 'vitest';
import { loginName, physicalName, readerName } from '../db/cluster/names.ts';
import { operationOf, withoutTenantNames, withoutValues } from './sql-text.ts';

it.each([
  ["select * from users where user_name = 'bob''s'", 'select * from users where user_name = ?'],
  ["alter role r password E'it\\'s secret'", 'alter role r password ?'],
  ["select U&'d\\0061ta', b'101', X'1F', n'text'", 'select ?, ?, ?, ?'],
  ['do $$ begin perform 1; end $$', 'do ?'],
  ["do $body$ select 'a' $body$; select 2", 'do ?; select ?'],
  ['select id from "Table 1" where "a""b" = $1 and n > 10.5e3', 'select id from "Table 1" where "a""b" = $1 and n > ?'],
  ['select a1, t.b2 from t -- of Ada\nlimit 5', 'select a1, t.b2 from t limit ?'],
  ["select /* 'Ada */ 'Bob' || .5", 'select ? || ?'],
  ["select 'a text without an end, 5", 'select ?'],
  ['  select\n   1_000', 'select ?'],
])('the text of a statement holds no value: %s [DECISIONS §13]', (text, shown) => {
  expect(withoutValues(text)).toBe(shown);
});

it.each([
  ['db', physicalName],
  ['login', loginName],
  ['read_db', (id: string, name: string) => readerName(physicalName(id, name))],
])(
  'of a name that begins with %s its id is left, and no part of the name of a tenant [DECISIONS §13]',
  (prefix, nameOf) => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const shown = `${prefix}_0f8fad5bd9cb469fa16570867728950e`;
    for (const name of ['Silver Lake – Clinic #2', 'SILVERLAKE'.repeat(25), '診療所'])
      expect(withoutTenantNames(nameOf(id, name))).toBe(shown);
    const renamed = `alter database "${nameOf(id, 'Silver')}" rename to "${nameOf(id, 'Lake 2')}"`;
    expect(withoutValues(renamed)).toBe(`alter database "${shown}" rename to "${shown}"`);
  },
);

it('a statement does what its first word says [DECISIONS §13]', () => {
  expect(operationOf('\n  with x as (select) select')).toBe('WITH');
  expect(operationOf('')).toBe('SQL');
});
