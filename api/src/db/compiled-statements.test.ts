import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../testing/app.ts';
import { compiledOnce } from './compiled-statements.ts';

const test = useTestApp();

it('a statement that is compiled once answers for the values of each use, also of uses at once [§6]', async () => {
  let built = 0;
  const double = compiledOnce<{ number: number }, { asked: number; doubleOf: number }>((value) => {
    built += 1;
    const number = value((values) => values.number);
    return sql`select ${number}::integer as asked, ${number}::integer * ${2} as double_of`;
  });
  const { platform } = test.context;
  const uses = [double(platform, { number: 1 }), platform.transaction().execute((trx) => double(trx, { number: 2 }))];
  expect(await Promise.all(uses)).toEqual([[{ asked: 1, doubleOf: 2 }], [{ asked: 2, doubleOf: 4 }]]);
  expect(await double(platform, { number: 3 })).toEqual([{ asked: 3, doubleOf: 6 }]);
  expect(built).toBe(1);
});
