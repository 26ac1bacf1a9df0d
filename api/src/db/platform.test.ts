import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { withDatabaseName } from './connection-string.ts';
import { openPlatform } from './platform.ts';
import { DatabaseTimeout, isDatabaseAway } from './postgres-errors.ts';
import { Pulse } from './watch.ts';

it('gives up on a PostgreSQL that does not answer, as on one that is away [§8]', async () => {
  // Not the database that test files copy: what sleeps in it would keep them from it.
  const url = withDatabaseName(inject('postgresUrl'), 'postgres');
  const { platform } = openPlatform({ url, maxConnections: 1, limits: { pulse: new Pulse(), limit: 100 } });
  const error = await sql`select pg_sleep(60)`.execute(platform).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseTimeout);
  expect(isDatabaseAway(error)).toBe(true);
  await platform.destroy();
});
