import type { AnonymizedClone, RefreshScheduleForm } from '@apotheca/contract/anonymized-clones';
import { sql } from 'kysely';
import { isOnAwayServer } from '../../../db/away-servers.ts';
import { isSetAhead, periodOf } from '../../../db/due-moments.ts';
import { utcMoment } from '../../../db/json-list.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { FIRST_VERSION } from '../tenant-database/tenant-change.ts';

export async function insertAnonymizedClone(trx: Trx, databaseId: string, refreshedAt: Date): Promise<void> {
  await trx.insertInto('anonymizedClones').values({ databaseId, refreshedAt }).execute();
}

export async function setRefreshedAt(trx: Trx, databaseId: string, refreshedAt: Date): Promise<void> {
  await trx.updateTable('anonymizedClones').set({ refreshedAt }).where('databaseId', '=', databaseId).execute();
}

/** When an anonymized clone is refreshed, and the version of that; locked until the transaction ends. */
export function lockRefreshSchedule(
  trx: Trx,
  databaseId: string,
): Promise<(RefreshScheduleForm & { version: number }) | undefined> {
  return trx
    .selectFrom('anonymizedClones')
    .select(['frequency', 'hour', 'weekday', 'version'])
    .where('databaseId', '=', databaseId)
    .forUpdate()
    .executeTakeFirst();
}

/** The schedule as it is stored. */
const STORED = {
  frequency: sql`anonymized_clones.frequency`,
  hour: sql`anonymized_clones.hour`,
  weekday: sql`anonymized_clones.weekday`,
};

/** A schedule's next moment after `now`, by the clock of the source's tenant; null where its frequency is 'off'. */
const nextDue = (now: Date, { frequency, hour, weekday }: Record<keyof RefreshScheduleForm, unknown> = STORED) =>
  sql<Date | null>`(
    select due.next
    from databases d
    left join databases source on source.id = d.copied_from
    left join tenants t on t.id = source.tenant_id
    cross join lateral backup_due(
      ${frequency}::text, ${hour}::integer, ${weekday}::integer,
      -- Spreads what is due at the same hour over that hour, by the first digits of the random id.
      ('x' || left(d.id::text, 7))::bit(28)::integer % 60, known_time_zone(coalesce(t.timezone_id, 'UTC')), ${now}
    ) as due
    where d.id = anonymized_clones.database_id
  )`;

/** Changes when an anonymized clone is refreshed, and increments the version. */
export async function updateRefreshSchedule(
  trx: Trx,
  databaseId: string,
  schedule: RefreshScheduleForm,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('anonymizedClones')
    .set({ ...schedule, dueAt: nextDue(now, schedule), version: sql`version + 1` })
    .where('databaseId', '=', databaseId)
    .execute();
}

/** Finds the next moments anew that a clock set that was ahead. */
export async function mendRefreshMoments(platform: Platform, now: Date): Promise<void> {
  await platform
    .updateTable('anonymizedClones')
    .set({ dueAt: nextDue(now) })
    .where(isSetAhead('due_at', now, periodOf('frequency')))
    .execute();
}

/**
 * Notes that a refresh that was due is queued, in the transaction that queues it: the next moment is due then.
 * @returns false if it is due no more
 */
export async function takeDueRefresh(trx: Trx, databaseId: string, dueAt: Date, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('anonymizedClones')
    .set({ dueAt: nextDue(now) })
    .where('databaseId', '=', databaseId)
    .where('dueAt', '<=', dueAt)
    .returning('databaseId')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The anonymized clones whose refresh is due, that have waited longest first. Those on which an operation works, whose source is
 * gone or on another server, or whose server is away, are left out.
 * @param most how many refreshes of the server's own may wait or run at once, without those that wait for their server
 */
export async function listDueRefreshes(
  platform: Platform,
  now: Date,
  most: number,
): Promise<{ databaseId: string; dueAt: Date }[]> {
  const { rows } = await sql<{ databaseId: string; dueAt: Date }>`
    select a.database_id as "databaseId", a.due_at as "dueAt"
    from anonymized_clones a
    join databases d on d.id = a.database_id and d.state = 'ready'
    join databases source on source.id = d.copied_from and source.state = 'ready' and source.schema_version >= ${FIRST_VERSION}
      and source.server_id = d.server_id
    where a.due_at <= ${now}
      and not exists (select from operation_claims c where c.database_id in (d.id, source.id))
      and not ${isOnAwayServer('d.id')}
    order by a.due_at, a.database_id
    limit greatest(0, ${most} - (
      select count(*) from operations where kind = 'refresh' and actor_id is null and state in ('queued', 'running')
        and not ${isOnAwayServer('operations.database_id')}
    ))`.execute(platform);
  return rows;
}

/** An anonymized clone as the call gives it; undefined for another database. */
export async function findAnonymizedClone(
  platform: Platform,
  databaseId: string,
): Promise<AnonymizedClone | undefined> {
  const { rows } = await sql<AnonymizedClone>`
    select d.name as "databaseName", source.name as "copiedFrom",
      ${sql.raw(utcMoment('a.refreshed_at'))} as "refreshedOnUtc",
      json_build_object('frequency', a.frequency, 'hour', a.hour, 'weekday', a.weekday) as schedule, a.version,
      coalesce(t.timezone_id, 'UTC') as "timezoneId", ${sql.raw(utcMoment('a.due_at'))} as "nextRunOnUtc",
      case when o.state is not null then json_build_object('state', o.state, 'message', o.message) end as "lastRefresh"
    from anonymized_clones a
    join databases d on d.id = a.database_id
    left join databases source on source.id = d.copied_from and source.state = 'ready'
    left join tenants t on t.id = source.tenant_id
    left join lateral (
      select state, message from operations where database_id = d.id and kind = 'refresh' order by created_at desc limit 1
    ) o on true
    where a.database_id = ${databaseId}`.execute(platform);
  return rows[0];
}
