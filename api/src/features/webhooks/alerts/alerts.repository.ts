import type { AlertMode } from '@apotheca/contract/alerts';
import { type RawBuilder, sql } from 'kysely';
import { hasCome, postgresNow, seconds } from '../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { firstUntold, isBehind, isOwnToTell } from '../events.repository.ts';

/** Of what a person is told. */
export interface AlertsRow {
  eventTypes: string[];
  mode: AlertMode;
  hour: number;
  timeZone: string;
}

export function findAlerts(platform: Platform, userId: string): Promise<AlertsRow | undefined> {
  return platform
    .selectFrom('alerts')
    .select(['eventTypes', 'mode', 'hour', 'timeZone'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Stores of what a person is told from an entry on; who is told already loses nothing. */
export async function saveAlerts(
  trx: Trx,
  userId: string,
  alerts: AlertsRow & { entryCursor: string; dueAt: RawBuilder<Date> },
): Promise<void> {
  const { entryCursor: _, ...changes } = alerts;
  await trx
    .insertInto('alerts')
    .values({ userId, ...alerts })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute();
}

export async function deleteAlerts(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('alerts').where('userId', '=', userId).execute();
}

/** Whether PostgreSQL, which counts the days of daily mails, knows a time zone, if under a newer name. Browsers name some that no list has. */
export async function isKnownZone(platform: Platform, timeZone: string): Promise<boolean> {
  const { rows } = await sql<{ isKnown: boolean }>`
    select known_time_zone(${timeZone}) <> 'UTC' or ${timeZone} = 'UTC' as "isKnown"`.execute(platform);
  return rows[0]?.isKnown === true;
}

/** SQL: the next moment at which a daily mail is due. */
export const nextDaily = (hour: number, timeZone: string): RawBuilder<Date> =>
  sql<Date>`(select next from backup_due('daily', ${hour}, 1, 0, known_time_zone(${timeZone}), ${postgresNow}))`;

/** SQL: the moment after a pause. @param pause in milliseconds */
export const nextAfter = (pause: number): RawBuilder<Date> => sql<Date>`${postgresNow} + ${seconds(pause / 1_000)}`;

/** A person who may have to be told of something. */
export interface PersonBehind extends AlertsRow {
  userId: string;
  entryCursor: string;
  name: string;
  email: string;
  /** What they may do now; nothing where they cannot sign in. */
  permissions: string[];
}

/** How far away the next mail is at most: daily ones'. */
const LONGEST_WAIT = sql`interval '1 day'`;

/** SQL: whether this version tells a person. */
const isOwn = (now: Date) =>
  isOwnToTell('a.event_types', sql`greatest(a.due_at, ${firstUntold('a.entry_cursor')})`, now);

/**
 * Moves everybody who is told at once up to the newest entry of the trail, if there is no event of anybody's between: most entries are none,
 * and one transaction a person for each of them would leave no time for those who are to be told.
 * @param actions the actions of which events are made
 */
export async function skipToNewest(
  platform: Platform,
  actions: readonly string[],
  now: Date,
  newest: string,
): Promise<void> {
  await sql`
    update alerts set entry_cursor = ${newest}::bigint
    where user_id in (
      select a.user_id from alerts a
      where a.mode = 'at-once' and a.entry_cursor < ${newest}::bigint and ${isOwn(now)}
        and a.entry_cursor >= coalesce((
          select e.id from audit_entries e
          where e.id > (select min(entry_cursor) from alerts where mode = 'at-once') and e.id <= ${newest}::bigint
            and e.action = any (${[...actions]}::text[])
          order by e.id desc limit 1
        ), 0)
      for update of a skip locked
    )`.execute(platform);
}

/**
 * Locks the alerts that are due of a person, of those that no other process works on or is to work on.
 * @param newest up to which entry: who was told beyond it is behind no more, though the trail goes on
 */
export async function lockPersonBehind(trx: Trx, now: Date, newest: string): Promise<PersonBehind | undefined> {
  const { rows } = await sql<PersonBehind>`
    select a.user_id as "userId", a.event_types as "eventTypes", a.mode, a.hour, a.time_zone as "timeZone",
      a.entry_cursor::text as "entryCursor", trim(u.first_name || ' ' || u.last_name) as name, u.email,
      ${permissionsOf(sql`u.id`)} as permissions
    from alerts a join users u on u.id = a.user_id
    where ${hasCome('a.due_at', postgresNow, LONGEST_WAIT)} and (a.mode = 'daily' or ${isBehind('a.entry_cursor', newest)})
      and ${isOwn(now)}
    order by a.due_at limit 1
    for update of a skip locked`.execute(trx);
  return rows[0];
}

/** The permissions of a person as they are now; none of one who is deactivated or deleted. */
const permissionsOf = (userId: RawBuilder<unknown>) => sql<string[]>`
  array(
    select p.identifier from users m
    join role_permissions rp on rp.role_id = m.role_id
    join permissions p on p.id = rp.permission_id and p.is_active
    where m.id = ${userId} and m.is_active and m.deleted_at is null
  )`;

/** Where a person gets mails, and what they may do. */
export async function findReader(
  platform: Platform,
  userId: string,
): Promise<{ email: string; permissions: string[] }> {
  return platform
    .selectFrom('users')
    .select(['email', permissionsOf(sql`users.id`).as('permissions')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function advanceAlerts(
  trx: Trx,
  userId: string,
  entryCursor: string,
  dueAt: RawBuilder<Date> | undefined,
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ entryCursor, ...(dueAt && { dueAt }) })
    .where('userId', '=', userId)
    .execute();
}
