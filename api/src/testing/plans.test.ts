import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openPlatform } from '../db/platform.ts';
import { createPlatformDatabase } from './databases.ts';
import { statementsOf } from './plans.ts';

it('the statements of some work are those that it sends itself, also where it waits for the connection of others', async () => {
  const database = await createPlatformDatabase();
  const { pool, platform } = openPlatform({ url: database.url, maxConnections: 1 });
  let isGoingOn = true;
  const goOn = async () => {
    while (isGoingOn) await pool.query('select pg_sleep(0.01) as other');
  };
  const others = [goOn(), goOn()];
  const { result, statements } = await statementsOf(async () => {
    await pool.query('select $1::int as one', [1]);
    await platform.transaction().execute((trx) => sql`select 2 as two`.execute(trx));
    return 'done';
  });
  isGoingOn = false;
  await Promise.all(others);
  expect(result).toBe('done');
  expect(statements.map(({ text }) => text)).toEqual(['select $1::int as one', 'begin', 'select 2 as two', 'commit']);
  expect(statements[0]?.values).toEqual([1]);
  await platform.destroy();
  await database.drop();
});
