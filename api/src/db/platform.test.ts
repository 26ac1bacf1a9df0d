import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { withDatabaseName } from './connections/connection-string.ts';
import type { SessionKind } from './connections/session-settings.ts';
import { Pulse } from './connections/watch.ts';
import { DatabaseTimeout, isDatabaseAway, isStatementCancelled } from './errors/postgres-errors.ts';
import { openPlatform } from './platform.ts';

// Not the database that test files copy, as a copy needs it to be without sessions.
const url = withDatabaseName(inject('postgresUrl'), 'postgres');

it('treats a PostgreSQL that does not answer as one that is away [§8]', async () => {
  const { platform } = openPlatform({ url, maxConnections: 1, limits: { pulse: new Pulse(), limit: 100 } });
  const error = await sql`select pg_sleep(60)`.execute(platform).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseTimeout);
  expect(isDatabaseAway(error)).toBe(true);
  await platform.destroy();
});

describe('a statement that PostgreSQL ends by a limit of its session', () => {
  /** How a statement with short limits ends, and whether its connection goes on. */
  async function endOf(kind: SessionKind, statement: string) {
    const { platform } = openPlatform({ url, maxConnections: 1, kind });
    const error = await platform
      .transaction()
      .execute((trx) => sql.raw(statement).execute(trx))
      .catch((reason: unknown) => reason);
    const { rows } = await sql<{ answer: number }>`select 1 as answer`.execute(platform);
    await platform.destroy();
    return { error, rows };
  }

  it('fails as if this server had given it up, and its connection goes on [§8]', async () => {
    const holder = openPlatform({ url, maxConnections: 1 });
    await holder.platform.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(4713)`.execute(connection);
      for (const [kind, statement] of [
        ['call', "set local statement_timeout = '1ms'; select pg_sleep(60)"],
        ['call', "set local lock_timeout = '1ms'; select pg_advisory_lock(4713)"],
        ['operation', "set local lock_timeout = '1ms'; select pg_advisory_lock(4713)"],
      ] as const) {
        const { error, rows } = await endOf(kind, statement);
        expect(error).toMatchObject({ isOverloaded: true, cause: { code: expect.stringMatching(/^(57014|55P03)$/) } });
        expect(error).toBeInstanceOf(DatabaseTimeout);
        expect(rows).toEqual([{ answer: 1 }]);
      }
    });
    await holder.platform.destroy();
  });

  it('is one of those that wait for each other, too [§8]', async () => {
    const { platform } = openPlatform({ url, maxConnections: 2, kind: 'operation' });
    const lock = (key: number) => sql`select pg_advisory_xact_lock(${key})`;
    const meet = Promise.withResolvers<void>();
    let others = 2;
    const lockBoth = (first: number, second: number) =>
      platform.transaction().execute(async (trx) => {
        await lock(first).execute(trx);
        others -= 1;
        if (others === 0) meet.resolve();
        await meet.promise;
        await lock(second).execute(trx);
      });
    const ends = await Promise.allSettled([lockBoth(4714, 4715), lockBoth(4715, 4714)]);
    await platform.destroy();
    const reason = ends.find((end) => end.status === 'rejected')?.reason;
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(reason).toMatchObject({ isOverloaded: true, cause: { code: '40P01' } });
    expect(isDatabaseAway(reason)).toBe(true);
  });

  it('differs from one that somebody cancels where there is no limit [§8]', async () => {
    const { error } = await endOf('operation', 'select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)');
    expect(isStatementCancelled(error)).toBe(true);
    expect(isDatabaseAway(error)).toBe(false);
  });
});
