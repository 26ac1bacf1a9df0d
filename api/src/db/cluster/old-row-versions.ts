import type pg from 'pg';
import { inWords } from '../../wording.ts';

/** How long PostgreSQL may need old row versions before that is told, in milliseconds. */
const LIMIT = 300_000;
/** The pause between two looks, in seconds. */
const PAUSE = 0.1;

/** A transaction whose process the administrator does not see. */
const UNNAMED = 'a transaction of another role';

/** What VACUUM takes into account, with the oldest transaction that it may still see. What other roles do may be hidden: null. */
const HOLDERS = `
  select 'the replication slot ' || slot_name as holder, age(xmin) as age from pg_replication_slots
  union all select 'the replication slot ' || slot_name, age(catalog_xmin) from pg_replication_slots
  union all select 'the prepared transaction ' || gid, age(transaction) from pg_prepared_xacts
  union all
  select 'the process ' || pid || ' of PostgreSQL', case
      when coalesce(datname = current_database(), backend_type = 'walsender') then greatest(age(backend_xid), age(backend_xmin))
      else age(backend_xid)
    end
  from pg_stat_activity where pid <> pg_backend_pid()
  union all
  select '${UNNAMED}', age(pg_snapshot_xmin(pg_current_snapshot())::xid)
  union all
  select 'the process ' || pid || ' of PostgreSQL', 2147483647 from pg_stat_activity
  where pid = any ($2) and datname = current_database() and backend_type is null`;

/**
 * Waits until VACUUM FULL removes every row version that was deleted before: it keeps what any transaction, slot or standby may still read,
 * and its own snapshot counts each transaction that has written, also in other databases.
 * @param client the administrator's session, in no transaction. The wait is a statement, so it can be cancelled
 * @param limit in milliseconds
 * @returns what still needs them when the time is over, in words; nothing once they are not needed
 * @see https://www.postgresql.org/docs/15/routine-vacuuming.html
 */
export async function untilOldRowsUnneeded(client: pg.Client, limit = LIMIT): Promise<string[]> {
  const { rows } = await client.query<{ now: string; present: number[] }>(
    `select pg_current_xact_id()::xid::text as now,
       array(select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as present`,
  );
  const values = [rows[0]?.now, rows[0]?.present];
  const began = performance.now();
  for (;;) {
    const found = await client.query<{ holder: string }>(
      `select holder from (${HOLDERS}) holders where age > age($1::xid) group by holder order by max(age) desc`,
      values,
    );
    const holders = found.rows.map(({ holder }) => holder);
    if (holders.length === 0) return [];
    if (performance.now() - began >= limit) {
      const named = holders.filter((holder) => holder !== UNNAMED);
      return named.length > 0 ? named : holders;
    }
    await client.query(`select pg_sleep(${PAUSE})`);
  }
}

/** Why old rows stay, for a message. */
export const neededBy = (holders: readonly string[]): string => `they are still needed by ${inWords(holders)}`;
