import type { DatabaseSize } from '@apotheca/contract/databases';
import { sql } from 'kysely';
import type { Platform } from '../../db/platform.ts';
import { utcDay } from '../../wording.ts';
import { type DatabaseRow, isUnclaimed } from './databases.repository.ts';

/** Stores the size that was measured of a database. */
export async function setSize(
  platform: Platform,
  id: string,
  measures: { sizeBytes: number; measuredAt: Date },
): Promise<void> {
  const { sizeBytes, measuredAt } = measures;
  await platform
    .updateTable('databases')
    .set({ sizeBytes: String(sizeBytes), measuredAt })
    .where('id', '=', id)
    .execute();
}

interface Size {
  id: string;
  /** A bigint, as text. */
  bytes: string;
}

/** Ready databases of a server that were last measured before a moment. Those that were never measured come first. */
export function listOldSizes(
  platform: Platform,
  serverId: string,
  before: Date,
): Promise<Pick<DatabaseRow, 'id' | 'physicalName'>[]> {
  return platform
    .selectFrom('databases')
    .select(['id', 'physicalName'])
    .where('state', '=', 'ready')
    .where('serverId', '=', serverId)
    .where(isUnclaimed)
    .where(sql<boolean>`coalesce(measured_at < ${before}, true)`)
    .orderBy('measuredAt', (measured) => measured.asc().nullsFirst())
    .execute();
}

/**
 * Stores sizes, and notes those that are the first of their day. This is a statement of its own because measuring is slow: one
 * statement would lock all the rows meanwhile.
 */
export async function setSizes(platform: Platform, sizes: readonly Size[], measuredAt: Date): Promise<void> {
  await sql`
    with measured as (
      update databases set size_bytes = s.bytes, measured_at = ${measuredAt}
      from json_to_recordset(${JSON.stringify(sizes)}::json) as s (id uuid, bytes bigint)
      where databases.id = s.id
      returning databases.id, databases.size_bytes
    )
    insert into database_sizes (database_id, day, size_bytes)
    select id, ${utcDay(measuredAt)}::date, size_bytes from measured order by id
    on conflict do nothing`.execute(platform);
}

/** What a database took on the days that were noted, oldest first. */
export async function listSizes(platform: Platform, databaseId: string): Promise<DatabaseSize[]> {
  const rows = await platform
    .selectFrom('databaseSizes')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'sizeBytes'])
    .where('databaseId', '=', databaseId)
    .orderBy('databaseSizes.day')
    .execute();
  return rows.map(({ day, sizeBytes }) => ({ day, sizeBytes: Number(sizeBytes) }));
}

/**
 * Deletes the sizes before `first`, and of each week before `daily` all but its first one. Weeks that are long past were thinned by
 * earlier calls: only the ten before `daily` are looked at.
 */
export async function deleteOldSizes(
  platform: Platform,
  { first, daily }: { first: Date; daily: Date },
): Promise<void> {
  await sql`
    delete from database_sizes s
    where day < ${utcDay(first)}::date
      or day < ${utcDay(daily)}::date and day >= ${utcDay(daily)}::date - 70 and exists (
        select from database_sizes earlier
        where earlier.database_id = s.database_id and earlier.day >= date_trunc('week', s.day)::date and earlier.day < s.day
      )`.execute(platform);
}
