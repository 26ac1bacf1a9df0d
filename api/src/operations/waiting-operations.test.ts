import { OPERATION_KINDS } from '@apotheca/contract/operations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlatform } from '../db/platform.ts';
import { createPlatformDatabase, type TestDatabase } from '../testing/databases.ts';
import { firstStatementOf, mostRowsRead } from '../testing/plans.ts';
import { listOperationsWithoutJob } from './waiting-operations.repository.ts';

// No server runs on it: it would take what is queued here.
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

/** An operation with a job. */
async function addOperation(state: string, jobState: string, kind = 'backup'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
      values (gen_random_uuid(), ${kind}, gen_random_uuid(), '', '{}', '', '', ${state}, '{Working}', 0, now())
      returning id
    ), job as (
      insert into pgboss.job (name, state, data)
      select 'operations', ${jobState}::text::pgboss.job_state, jsonb_build_object('operationId', id) from made
    )
    select id from made`.execute(home.platform);
  return rows[0]?.id ?? '';
}

it('operations without a waiting job are found without reading the jobs that have ended [DECISIONS §8]', async () => {
  await home.pool.query(
    `insert into pgboss.job (name, state, data, completed_on)
     select 'operations', 'completed', jsonb_build_object('operationId', gen_random_uuid()), now() from generate_series(1, 20000)`,
  );
  const running = await addOperation('running', 'active');
  const killed = await addOperation('running', 'completed');
  // Postponed by a clock that was ahead.
  const postponed = await addOperation('running', 'completed');
  await sql`update operations set resume_at = now() + interval '1 day' where id = ${postponed}`.execute(home.platform);
  // Of a newer version, which runs beside this one or did before it.
  await addOperation('queued', 'completed', 'later');
  for (const state of ['created', 'retry']) await addOperation('queued', state);
  await home.pool.query('analyze operations, pgboss.job');
  const { result, text, values } = await firstStatementOf(() =>
    listOperationsWithoutJob(home.platform, OPERATION_KINDS),
  );
  expect(result.map(({ id }) => id)).toEqual([running, killed, postponed]);
  expect(await mostRowsRead(home.pool, text, values)).toBeLessThan(1_000);
});
