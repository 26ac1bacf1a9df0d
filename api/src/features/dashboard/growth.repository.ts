import type { GrowthWeek } from '@apotheca/contract/findings';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Platform } from '../../db/platform.ts';

/** How many there are: tenants, users, size_bytes. */
const PRESENT = `
  select (select count(*) from tenants)::int as tenants, (select count(*) from users where deleted_at is null)::int as users,
    (select coalesce(sum(size_bytes), 0) from databases)::bigint as size_bytes`;

/**
 * Notes what there is now as what there was at the end of today; the last call of a day counts. Of the days before `first` only the
 * newest is kept: the days after it may lack a row of their own.
 * @param today and first: YYYY-MM-DD; first null: all are kept
 */
export async function saveGrowth(
  platform: Platform,
  { today, first }: { today: string; first: string | null },
): Promise<void> {
  await sql`
    with forgotten as (
      delete from growth_days where day < (select max(day) from growth_days where day <= ${first}::date)
    )
    insert into growth_days (day, tenants, users, size_bytes)
    select ${today}::date, present.* from (${sql.raw(PRESENT)}) present
    on conflict (day) do update set tenants = excluded.tenants, users = excluded.users, size_bytes = excluded.size_bytes
    where (growth_days.tenants, growth_days.users, growth_days.size_bytes)
      is distinct from (excluded.tenants, excluded.users, excluded.size_bytes)`.execute(platform);
}

/** What there was at the end of each week of the last year, oldest first; the last one is what there is now. @param today YYYY-MM-DD */
export async function listGrowth(pool: pg.Pool, today: string): Promise<GrowthWeek[]> {
  const text = `
    select weeks.day, coalesce(tenants, 0) as tenants, coalesce(users, 0) as users, coalesce(size_bytes, 0)::float8 as "sizeBytes"
    from (select $1::date - 7 * back as day from generate_series(51, 1, -1) back) weeks
    left join lateral (
      select tenants, users, size_bytes from growth_days where growth_days.day <= weeks.day order by growth_days.day desc limit 1
    ) noted on true
    union all
    select $1::date, tenants, users, size_bytes::float8 from (${PRESENT}) present
    order by day`;
  const { rows } = await pool.query<GrowthWeek>({ name: 'growth', text, values: [today] });
  return rows;
}
