import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { expect } from 'vitest';
import { withClient } from './databases.ts';

const POLL = 50;
/** Only finds what hangs, before the usual limit of a test does; in milliseconds. */
const LONGEST = 540_000;

/**
 * Waits until all operations of an installation have ended.
 * @param url connection string of its control database
 */
export async function operationsEnded(url: string): Promise<void> {
  const deadline = Date.now() + LONGEST;
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        "select kind, database_name, state, steps[step + 1] as step from operations where state in ('queued', 'running')",
      );
      if (rows.length === 0) return;
      if (Date.now() > deadline) throw new Error(`These operations do not end: ${JSON.stringify(rows)}`);
      await setTimeout(POLL);
    }
  });
}

type Claimed = { id: string; name: string };

/** Lets an operation of ada's, which never runs, have a database. */
export async function claimDatabase(client: pg.Pool | pg.Client, { id, name }: Claimed): Promise<void> {
  await client.query(
    `with made as (
      insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, cancellable, size_bytes, created_at, finished_at)
      values (gen_random_uuid(), 'clone', $1, $2, '{}', 'ada', 'test', 'succeeded', '{Cloning}', true, 0, now(), now())
      returning id
    ) insert into operation_claims (database_id, operation_id) select $1, id from made`,
    [id, name],
  );
}

export async function freeDatabase(client: pg.Pool | pg.Client, { id }: Claimed): Promise<void> {
  await client.query('delete from operation_claims where database_id = $1', [id]);
}

/**
 * Lets an operation have a database from the moment at which `work` waits for its row, or has ended without that. Its sessions must be
 * without limits: those of the product end a wait after some seconds.
 * @param url connection string of the control database
 */
export async function claimDuring(url: string, database: Claimed, work: () => Promise<unknown>): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin');
    const { rows } = await client.query('select pg_backend_pid() as pid from databases where id = $1 for update', [
      database.id,
    ]);
    let hasEnded = false;
    const working = work().finally(() => {
      hasEnded = true;
    });
    const isHeldUp = () => withClient(url, (other) => other.query(BLOCKED, [rows[0].pid]));
    await expect.poll(async () => hasEnded || (await isHeldUp()).rowCount).toBeTruthy();
    await claimDatabase(client, database);
    await client.query('commit');
    await working;
  });
}

const BLOCKED = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
