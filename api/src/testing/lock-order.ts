import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/**
 * Lets something meet another transaction that has locked a row which it locks too, and that appends to the audit trail once it is waited for.
 * Whoever locks the head of the trail before such a row waits for the other one and is waited for: PostgreSQL ends one of the two.
 * @param row locks the row
 * @returns what came of it, once the other transaction has ended
 */
export async function meetAtRow<T>(
  { context: { platform } }: TestApp,
  row: RawBuilder<unknown>,
  meet: () => Promise<T>,
): Promise<T> {
  const met = await platform.transaction().execute(async (trx) => {
    // On a busy machine it may be long until somebody waits.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await row.execute(trx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const meeting = meet();
    const waiting = sql`select from pg_stat_activity where ${rows[0]?.pid}::int = any (pg_blocking_pids(pid))`;
    await expect.poll(async () => (await waiting.execute(platform)).rows.length).toBeGreaterThan(0);
    await sql`select from audit_head for update`.execute(trx);
    return { meeting };
  });
  return met.meeting;
}
