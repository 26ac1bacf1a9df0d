import { readFileSync } from 'node:fs';
import { findingRoutes, type GrowthWeek } from '@apotheca/contract/findings';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { beforeEach, expect, it } from 'vitest';
import { insertAccount } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { aheadByYear } from '../../testing/clock-ahead.ts';
import { noteGrowth } from './growth.service.ts';

const test = useTestApp();
const DAY = 86_400;

const today = (days = 0) => new Date(test.context.now().getTime() + days * DAY * 1000).toISOString().slice(0, 10);
const query = async (text: string, values: unknown[] = []) => (await test.context.pool.query(text, values)).rows;
const signIn = async () => (await test.signIn()).result.accessToken;
const growth = async (): Promise<GrowthWeek[]> =>
  (await test.call(findingRoutes.growth, { token: await signIn() })).result;
const noted = () => query('select * from growth_days order by day');

beforeEach(async () => {
  await query('delete from growth_days');
});

it('has a figure for each of 52 weeks, the last one of now [§2.5]', async () => {
  const before = await growth();
  expect(before.map(({ day }) => day)).toEqual(Array.from({ length: 52 }, (_, week) => today(7 * (week - 51))));
  expect(before.at(-2)).toEqual({ day: today(-7), tenants: 0, users: 0, sizeBytes: 0 });
  const { id } = (await test.call(tenantRoutes.create, { body: tenantInput('ALDER'), token: await signIn() })).result;
  const account = await insertAccount(test);
  await query('update databases set size_bytes = 12345678901');
  const now = (await growth()).at(-1);
  expect(now).toEqual({ day: today(), tenants: 1, users: (before.at(-1)?.users ?? 0) + 1, sizeBytes: 12345678901 });
  await test.call(userRoutes.delete, { query: { id: account.id }, token: await signIn() });
  await query('update tenants set is_active = false where id = $1', [id]);
  expect((await growth()).at(-1)).toEqual({ ...now, users: before.at(-1)?.users });
});

it('what there was stays, whatever is deleted later; a day that nobody noted is as the one before it [§2.5]', async () => {
  const [{ users }] = await query('select count(*)::int as users from users where deleted_at is null');
  await insertAccount(test);
  await noteGrowth(test.context);
  // The last look of a day is what there was at its end, whichever server had it.
  await insertAccount(test);
  await Promise.all([noteGrowth(test.context), noteGrowth(test.context)]);
  expect(await noted()).toMatchObject([{ day: today(), users: users + 2 }]);
  test.clock.advance(10 * DAY);
  await insertAccount(test);
  await noteGrowth(test.context);
  test.clock.advance(11 * DAY);
  expect((await growth()).slice(-5).map((week) => week.users)).toEqual([0, users + 2, users + 2, users + 3, users + 3]);
});

it('is kept for a year, and of what is older the newest [§2.5]', async () => {
  await query('insert into growth_days select $1::date - n, n, 0, 0 from generate_series(390, 420) n', [today()]);
  await noteGrowth(test.context);
  expect(await noted()).toMatchObject([{ day: today(-390), tenants: 390 }, { day: today() }]);
  expect((await growth()).slice(0, -1).map(({ tenants }) => tenants)).toEqual(Array(51).fill(390));
});

it('no day goes for a clock that is ahead [§2.5]', async () => {
  await query('insert into growth_days select now()::date - n, n, 0, 0 from generate_series(1, 9) n');
  await noteGrowth({ ...test.context, ...aheadByYear(test.context.platform) });
  expect(await noted()).toHaveLength(10);
});

it('begins after the upgrade with what can still be told of the past [§2.5]', async () => {
  const ago = (days: number) => `now() - interval '${days} days'`;
  const noteSizes = (name: string, sizes: string) =>
    query(
      `insert into database_sizes (database_id, day, size_bytes)
       select id, (now() at time zone 'UTC')::date - back, size from databases, (values ${sizes}) sizes (back, size) where name = $1`,
      [name],
    );
  await test.call(tenantRoutes.create, { body: tenantInput('BIRCH'), token: await signIn() });
  await query('delete from database_sizes');
  await query(`update tenants set created_at = ${ago(5)}`);
  await noteSizes('ALDER', '(20, 500), (4, 300), (0, 900)');
  await noteSizes('BIRCH', '(3, 40)');
  await query(`update users set created_at = ${ago(900)}, deleted_at = ${ago(600)}`);
  const accounts = await Promise.all([1, 2, 3].map(() => insertAccount(test)));
  const lives = [
    [5, null],
    [4, 3],
    // The clock was set back in between.
    [2, 6],
  ] as const;
  for (const [at, [made, deleted]] of lives.entries()) {
    const ended = deleted === null ? 'null' : ago(deleted);
    await query(`update users set created_at = ${ago(made)}, deleted_at = ${ended} where id = $1`, [accounts[at]?.id]);
  }
  await query('drop table growth_days');
  const migration = new URL('../../db/migrations/platform/000077-growth-days.sql', import.meta.url);
  await query(readFileSync(migration, 'utf8'));
  const days = (await noted()).map(({ tenants, users, size_bytes }) => [tenants, users, Number(size_bytes)]);
  expect(days).toHaveLength(371);
  expect(days.slice(-6)).toEqual([
    [0, 0, 500],
    [2, 1, 500],
    [2, 2, 300],
    [2, 1, 340],
    [2, 1, 340],
    [2, 1, 340],
  ]);
});
