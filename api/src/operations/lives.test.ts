import { randomUUID } from 'node:crypto';
import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { makeInterruptedRuns } from './lives.ts';
import type { OperationRow } from './operations.repository.ts';
import { ifOperationUnlocked } from './runs.repository.ts';

const test = useTestApp();

/** Queries that wait for a lock, the one that waits longest first. */
const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' order by query_start`;

/** Records the pauses before the next run. */
const RECORD = `
  create table pauses (id serial, seconds float8);
  create function record_pause() returns trigger language plpgsql as $$
  begin
    insert into pauses (seconds) values (extract(epoch from new.resume_at - now()));
    return new;
  end $$;
  create trigger record_pause before update on operations for each row when (new.resume_at > now())
    execute function record_pause()`;

/** An operation that looks as if it were running. */
async function insertRunning(id: string): Promise<OperationRow> {
  await sql`
    insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, attempts,
      created_at)
    select ${id}, kind, database_id, database_name, input, actor_name, address, 'running', steps, size_bytes, 2, created_at
    from operations`.execute(test.context.platform);
  return await test.context.platform
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

it('the pause of an earlier run, whose note must be written again, never replaces that of a later run [DECISIONS §8]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('HOME') });
  await test.call(databaseRoutes.rename, { query: { databaseName: 'HOME', newName: 'AWAY' } });
  const id = randomUUID();
  const { utility, platform } = test.context;
  const runs = makeInterruptedRuns(test.context, new AbortController().signal, () => {});
  const lost = new Error('Connection terminated unexpectedly');
  await withClient(test.databaseUrl, async (client) => {
    await client.query(RECORD);
    const isHeld = await utility.connection().execute((connection) =>
      // The lock keeps the server from running it, from its first moment on.
      ifOperationUnlocked(connection, id, async () => {
        const operation = await insertRunning(id);
        await client.query('begin');
        await client.query('select from operations where id = $1 for update', [id]);
        const noted = [runs.add({ ...operation, attempts: 1 }, lost), runs.add({ ...operation, attempts: 2 }, lost)];
        // Not in the transaction: there, each look at the sessions would show what the first has found.
        const { pool } = test.context;
        await expect.poll(async () => (await pool.query(WAITING)).rowCount).toBeGreaterThan(0);
        await pool.query(`select pg_terminate_backend(pid) from (${WAITING} limit 1) as first`);
        await client.query('commit');
        await Promise.all(noted);
        await runs.noteAll();
        expect((await client.query('select seconds from pauses order by id')).rows).toEqual([
          { seconds: 1 },
          { seconds: 2 },
        ]);
        const { outlived } = await platform
          .selectFrom('operations')
          .select('outlived')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(outlived).toBe(2);
      }),
    );
    expect(isHeld).toBe(true);
  });
});
