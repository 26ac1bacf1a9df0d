import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlatform } from '../db/platform.ts';
import { createPlatformDatabase, type TestDatabase } from '../testing/databases.ts';
import { searchPage } from './audit-search.repository.ts';

// No server runs on it: its trail is made up.
let database: TestDatabase;
let home: ReturnType<typeof openPlatform>;
beforeAll(async () => {
  database = await createPlatformDatabase();
  home = openPlatform({ url: database.url, maxConnections: 1 });
});
afterAll(async () => {
  await home.platform.destroy();
  await database.drop();
});

const BEGIN = Date.UTC(2026, 0, 1);
const ENTRIES = 20_000;
const at = (minutes: number) => new Date(BEGIN + minutes * 60_000).toISOString();

it.each([
  ['a year ahead', "a.at + interval '1 year'"],
  ['at 1970', "'1970-01-01'::timestamptz + a.id * interval '1 second'"],
])(
  'a search finds what was done at a time, although a clock was %s for a while [DECISIONS §13]',
  async (_what, wrong) => {
    const { platform, pool } = home;
    await sql`truncate audit_entries`.execute(platform);
    await sql`
    insert into audit_entries (id, at, actor_name, action, entity, entity_id, address, changes, hash)
    select n, ${at(0)}::timestamptz + n * interval '1 minute', '', 'tests.write', 'tests', '', '', '{}', int4send(n)
    from generate_series(1, ${ENTRIES}::integer) n`.execute(platform);
    // The first entry that is looked at is one of these.
    await sql`update audit_entries a set at = ${sql.raw(wrong)} where id between ${ENTRIES / 2 - 30} and ${ENTRIES / 2 + 30}`.execute(
      platform,
    );
    for (let minutes = 250; minutes < ENTRIES; minutes += 250) {
      const [from, to] = [at(minutes), at(minutes + 60)];
      const { rows } = await sql<{ id: string }>`
      select id from audit_entries where at >= ${from} and at < ${to} order by id desc`.execute(platform);
      for (const filter of [{}, { action: 'tests.write' }]) {
        const { entries } = await searchPage(pool, { from, to, ...filter }, 100, 60_000);
        expect(entries.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      }
    }
  },
);
