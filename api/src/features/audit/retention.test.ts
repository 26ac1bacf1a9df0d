import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlatform } from '../../db/platform.ts';
import { createPlatformDatabase, type TestDatabase } from '../../testing/databases.ts';
import { firstStatementOf, mostRowsRead } from '../../testing/plans.ts';
import { findExpired } from './retention.repository.ts';

const BEGIN = new Date('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

// No server runs on it: its trail is made up.
let database: TestDatabase;
let home: ReturnType<typeof openPlatform>;
beforeAll(async () => {
  database = await createPlatformDatabase();
  home = openPlatform({ url: database.url, maxConnections: 1 });
  // An entry a minute, the ids from 7 on.
  await sql`
    insert into audit_entries (id, at, actor_name, action, entity, entity_id, address, changes, hash)
    select 6 + n, ${BEGIN}::timestamptz + (n - 1) * interval '1 minute', '', 'tests.write', 'tests', '', '', '{}', int4send(n)
    from generate_series(1, 20000) n`.execute(home.platform);
  await sql`analyze audit_entries`.execute(home.platform);
});
afterAll(async () => {
  await home.platform.destroy();
  await database.drop();
});

const expired = (minutes: number, most: number) =>
  findExpired(home.platform, new Date(BEGIN.getTime() + minutes * MINUTE), most);

it('the old beginning of a trail goes in rounds, up to the first entry that is kept or untold [DECISIONS §13]', async () => {
  expect(await expired(0, 100)).toBeUndefined();
  expect(await expired(15_000, 100)).toMatchObject({ firstId: '7', lastId: '106' });
  expect(await expired(30, 100)).toMatchObject({ firstId: '7', lastId: '36' });
  // An old entry that follows a newer one stays.
  const at = (id: number, minutes: number) =>
    sql`update audit_entries set at = ${BEGIN}::timestamptz + ${minutes} * interval '1 minute' where id = ${id}`;
  await at(16, 20_000).execute(home.platform);
  expect(await expired(30, 100)).toMatchObject({ firstId: '7', lastId: '15' });
  await at(16, 9).execute(home.platform);
});

it('each round reads no more of the trail than it removes [DECISIONS §13]', async () => {
  const { result, text, values } = await firstStatementOf(() => expired(15_000, 100));
  expect(result).toMatchObject({ lastId: '106' });
  expect(await mostRowsRead(home.pool, text, values)).toBeLessThanOrEqual(100);
});
