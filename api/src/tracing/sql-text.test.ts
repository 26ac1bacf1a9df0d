import { expect, it } from 'vitest';
import { operationOf, withoutValues } from './sql-text.ts';

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

it('a statement does what its first word says [DECISIONS §13]', () => {
  expect(operationOf('\n  with x as (select) select')).toBe('WITH');
  expect(operationOf('')).toBe('SQL');
});
