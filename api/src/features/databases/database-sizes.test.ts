import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { getDatabaseSizes } from './database-management.service.ts';
import { measureDatabases, thinSizes } from './database-upkeep.ts';
import { getDatabaseByName } from './databases.service.ts';

const test = useTestApp();
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const DAY_MS = DAY * 1000;

let viewer = '';
const today = () => test.context.now().toISOString().slice(0, 10);
/** Without a session, which ends while the clock is moved on. */
const sizesOf = (databaseName: string) => getDatabaseSizes(test.context, databaseName);

beforeAll(async () => {
  const { accessToken: token } = (await test.signIn()).result;
  for (const code of ['GROWING', 'OLD']) await test.call(tenantRoutes.create, { body: tenantInput(code), token });
  viewer = (await test.signInAs('Viewer')).token;
});

it('sizes of a database that is not there are not found [§7.3]', async () => {
  const unknown = { query: { databaseName: 'NOBODY' }, token: viewer };
  expect(await test.call(databaseRoutes.sizes, unknown)).toMatchObject({ status: 404 });
});

it('sizes are noted once a day, whichever process measures, however often [§2.24]', async () => {
  await test.context.platform.deleteFrom('databaseSizes').execute();
  await test.context.platform.updateTable('databases').set({ measuredAt: null }).execute();
  await Promise.all([measureDatabases(test.context), measureDatabases(test.context)]);
  const first = await sizesOf('GROWING');
  expect(first).toEqual([{ day: today(), sizeBytes: expect.any(Number) }]);
  const answer = await test.call(databaseRoutes.sizes, { query: { databaseName: 'GROWING' }, token: viewer });
  expect(answer).toMatchObject({ status: 200, result: first });

  const { physicalName } = await getDatabaseByName(test.context, 'GROWING');
  const ballast = 'create table ballast as select repeat(i::text, 99) from generate_series(1, 20000) as i';
  await withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(ballast));
  // To the first minute of the next day, and to a later one.
  test.clock.advance((DAY_MS - (test.context.now().getTime() % DAY_MS)) / 1000 + MINUTE);
  await measureDatabases(test.context);
  const second = (await getDatabaseByName(test.context, 'GROWING')).sizeBytes;
  test.clock.advance(20 * MINUTE);
  await test.context.platform.updateTable('databases').set({ sizeBytes: '1' }).execute();
  await measureDatabases(test.context);
  expect(await sizesOf('GROWING')).toEqual([...first, { day: today(), sizeBytes: second }]);
  expect(second).toBeGreaterThan((first[0]?.sizeBytes ?? 0) + 1_000_000);
});

it('sizes are kept by the day for three months, by the week for two years, and go with their database [§2.24]', async () => {
  const { pool, platform } = test.context;
  const { id } = await getDatabaseByName(test.context, 'OLD');
  await platform.deleteFrom('databaseSizes').execute();
  await pool.query(
    `insert into database_sizes (database_id, day, size_bytes)
     select $1, $2::date - n, 1 from generate_series(0, 800) as n`,
    [id, today()],
  );
  // As in the hours of all days since then.
  const now = test.context.now().getTime();
  for (let day = 800; day >= 0; day -= 50) {
    await thinSizes({ ...test.context, now: () => new Date(now - day * DAY_MS) });
  }
  const ages = (await sizesOf('OLD')).map(({ day }) => (Date.parse(today()) - Date.parse(day)) / DAY_MS);
  expect(ages.filter((age) => age <= 92)).toHaveLength(93);
  const weekly = ages.filter((age) => age > 92);
  expect(Math.max(...weekly)).toBeLessThanOrEqual(731);
  // Each is the first of its week.
  const mondays = weekly.filter((age) => new Date(Date.parse(today()) - age * DAY_MS).getUTCDay() === 1);
  expect(weekly.length - mondays.length).toBeLessThanOrEqual(1);
  expect(mondays.length).toBeGreaterThanOrEqual(90);

  await platform.deleteFrom('databases').where('id', '=', id).execute();
  expect(await platform.selectFrom('databaseSizes').select('day').execute()).toEqual([]);
});
