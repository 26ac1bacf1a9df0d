import { sql } from 'kysely';
import type { Platform } from '../../../db/platform.ts';

/** The shares of databases whose backup is not older than a figure says. */
export const QUANTILES = [0.5, 0.9, 1] as const;

/** How old the backups are of the databases with one frequency of scheduled backups. */
export interface BackupAges {
  schedule: string;
  /** How many databases have no backup, none that was proved, and one that was. */
  none: number;
  unproved: number;
  proved: number;
  /** Ages of the newest backups in seconds, by {@link QUANTILES}; null where no database has one. */
  ages: number[] | null;
  provedAges: number[] | null;
}

/**
 * Looks the newest backup of each database up, by its index: reading all backups for their maxima would take ten times as long. One of a
 * clock that was ahead is not looked at, as it would hide for that long that there is no newer one. Ages
 * are of the moment at which a backup was made, also those of proved ones: so much would be lost. Where none of a database's backups was
 * proved, all since it was made would be.
 */
export async function readBackupAges(platform: Platform, now: Date): Promise<BackupAges[]> {
  const newest = (condition = sql`true`) => sql`(
    select b.created_at from backups b
    where b.database_id = d.id and b.state = 'ready' and b.created_at <= ${now} and ${condition}
    order by b.created_at desc limit 1
  )`;
  const agesOf = (moment: string) => sql`
    percentile_cont(${[...QUANTILES]}::float8[]) within group (order by extract(epoch from ${now}::timestamptz - ${sql.ref(moment)})::float8)`;
  const { rows } = await sql<BackupAges>`
    select k.schedule, count(*) filter (where d.id is not null and made_at is null)::int as none,
      count(*) filter (where made_at is not null and proved_at is null)::int as unproved,
      count(*) filter (where proved_at is not null)::int as proved,
      ${agesOf('made_at')} as ages, ${agesOf('safe_at')} as "provedAges"
    from unnest(array['hourly', 'daily', 'weekly', 'off']) as k (schedule)
    left join (
      select *, coalesce(proved_at, case when made_at is not null then created_at end) as safe_at
      from (
        select d.id, d.created_at, coalesce(s.frequency, 'off') as schedule, ${newest()} as made_at,
          ${newest(sql`b.proof ->> 'result' = 'proved'`)} as proved_at
        from databases d left join effective_backup_schedules s on s.database_id = d.id
        where d.state = 'ready'
      ) d
    ) d on d.schedule = k.schedule
    group by k.schedule`.execute(platform);
  return rows;
}
