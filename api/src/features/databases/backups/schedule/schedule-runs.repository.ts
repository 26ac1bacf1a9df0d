import { sql } from 'kysely';
import { isOnAwayServer } from '../../../../db/away-servers.ts';
import { unlessUnderWay } from '../../../../db/cluster/advisory-lock.ts';
import { isSetAhead, newestFirst, periodOf, postgresNow, seconds } from '../../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../../db/platform.ts';
import type { Retention, ScheduledBackup } from './retention.ts';

/** The longest pause after a failure, in milliseconds. */
export const LONGEST_PAUSE = 3_600_000;

/** How long after it was due a backup may be missing, before that counts as late. */
const PATIENCE = sql`case split_part(r.rule, ' ', 1)
  when 'hourly' then interval '1 hour' when 'daily' then interval '6 hours' else interval '1 day'
end`;
/** How far away the next backup of a schedule is at most. */
const PERIOD = periodOf('s.frequency');
/** How far away the next attempt is at most. */
const RETRY = seconds(LONGEST_PAUSE / 1_000);

/** Runs `work` unless the schedules of another server tick now. */
export const ifNobodyTicks = (connection: Platform, work: () => Promise<void>): Promise<boolean> =>
  unlessUnderWay(connection, 'backup-schedules', work);

/**
 * Says when databases are due whose schedule or time zone is new, or whose moments a clock set that was ahead. What is due by now stays
 * so. Databases without a schedule are due no more. The list of those that are new is made first: without statistics PostgreSQL would find the moments of all, to throw them away.
 */
export async function planRuns(platform: Platform, now: Date): Promise<void> {
  await sql`
    delete from backup_schedule_runs r
    where not exists (
      select from effective_backup_schedules s where s.database_id = r.database_id and s.frequency <> 'off'
    )`.execute(platform);
  await sql`
    with renewed as materialized (
      select s.* from effective_backup_schedules s
      join databases d on d.id = s.database_id and d.state = 'ready'
      left join backup_schedule_runs r on r.database_id = s.database_id
      where s.frequency <> 'off' and (r.rule is distinct from s.rule
        or ${isSetAhead('r.due_at', now, PERIOD)} or ${isSetAhead('r.retry_at', postgresNow, RETRY)})
    )
    insert into backup_schedule_runs (database_id, rule, due_at)
    select s.database_id, s.rule, due.next
    from renewed s
    cross join lateral backup_due(s.frequency, s.hour, s.weekday, s.minute, known_time_zone(s.time_zone), ${now}) as due
    order by s.database_id
    on conflict (database_id) do update set
      rule = excluded.rule,
      due_at = case when backup_schedule_runs.due_at > ${now} then excluded.due_at else backup_schedule_runs.due_at end,
      retry_at = case when not ${isSetAhead('backup_schedule_runs.retry_at', postgresNow, RETRY)} then backup_schedule_runs.retry_at end`.execute(
    platform,
  );
}

/**
 * Lets runs go on whose moment has its backup though no operation has succeeded: a recovery ends operations, and then finds the archive of
 * one in a store; and a clock that was ahead has made those of moments that come.
 */
export async function advanceMadeRuns(platform: Platform, now: Date): Promise<void> {
  await sql`
    with made as (
      select r.database_id, b.due_at, b.created_at
      from backup_schedule_runs r
      cross join lateral (
        select b.due_at, b.created_at from backups b
        where b.database_id = r.database_id and b.due_at between r.due_at and ${now} and b.state = 'ready'
        order by b.due_at desc limit 1
      ) as b
      where r.operation_id is null and r.due_at <= ${now}
    )
    update backup_schedule_runs r set
      due_at = due.next, retry_at = null, failures = 0, last_result = 'succeeded', last_message = '', last_ended_at = made.created_at
    from made
    join effective_backup_schedules s on s.database_id = made.database_id
    cross join lateral backup_due(s.frequency, s.hour, s.weekday, s.minute, known_time_zone(s.time_zone), made.due_at) as due
    where r.database_id = made.database_id and r.operation_id is null and due.next is not null`.execute(platform);
}

/** Whether the newest backup of the database of run `r` is older than its schedule allows. One of a clock that was ahead is none. */
const isLate = (now: Date) => sql`(r.due_at + ${PATIENCE} < ${now} and not exists (
  select from backups b where b.database_id = r.database_id and b.state = 'ready' and b.created_at between r.due_at and ${now}
))`;

/** Marks the databases that are late, for lists. */
export async function markLate(platform: Platform, now: Date): Promise<void> {
  await sql`
    update backup_schedule_runs set is_late = found.is_late
    from (select r.database_id, ${isLate(now)} as is_late from backup_schedule_runs r) as found
    where found.database_id = backup_schedule_runs.database_id and found.is_late <> backup_schedule_runs.is_late`.execute(
    platform,
  );
}

/** A database whose backup is due. */
export interface DueRun {
  databaseId: string;
  /** The newest moment at which it was due: one backup stands for all that were missed. */
  dueAt: Date;
  /** How often it has failed so far. */
  failures: number;
}

/**
 * The databases whose backup is due, that have waited longest first. Those that are not ready, on which an operation works, or whose
 * server is away, are left out for now.
 * @param most how many scheduled backups may wait or run at once, without those that wait for their server
 */
export async function listDueRuns(platform: Platform, now: Date, most: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select r.database_id as "databaseId", greatest(r.due_at, due.last) as "dueAt", r.failures
    from (
      select r.* from backup_schedule_runs r
      join databases d on d.id = r.database_id and d.state = 'ready'
      where r.operation_id is null and r.due_at <= ${now} and coalesce(r.retry_at <= ${postgresNow}, true)
        and not exists (select from operation_claims c where c.database_id = r.database_id)
        and not ${isOnAwayServer('r.database_id')}
      order by greatest(r.due_at, r.retry_at), r.database_id
      limit greatest(0, ${most} - (
        select count(*) from operations
        where kind = 'backup' and actor_id is null and state in ('queued', 'running')
          and not ${isOnAwayServer('operations.database_id')}
      ))
    ) as r
    join effective_backup_schedules s on s.database_id = r.database_id
    cross join lateral backup_due(s.frequency, s.hour, s.weekday, s.minute, known_time_zone(s.time_zone), ${now}) as due
    order by greatest(r.due_at, r.retry_at), r.database_id`.execute(platform);
  return rows;
}

/**
 * Notes which operation makes the backup that is due, in the transaction that queues it.
 * @returns false if it is due no more, as its backup is there, or another operation makes it
 */
export async function takeRun(
  trx: Trx,
  run: { databaseId: string; dueAt: Date; operationId: string },
): Promise<boolean> {
  const row = await trx
    .updateTable('backupScheduleRuns')
    .set({ operationId: run.operationId })
    .where('databaseId', '=', run.databaseId)
    .where('operationId', 'is', null)
    .where('dueAt', '<=', run.dueAt)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('backups').select('id').where('databaseId', '=', run.databaseId).where('dueAt', '=', run.dueAt),
        ),
      ),
    )
    .returning('databaseId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a scheduled backup waits, runs, or has ended and is still to be dealt with. */
export async function hasUnsettledRuns(platform: Platform): Promise<boolean> {
  const row = await platform
    .selectFrom('backupScheduleRuns')
    .select('databaseId')
    .where('operationId', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A scheduled backup that has ended, and what its database's schedule keeps. */
export interface EndedRun extends Retention {
  databaseId: string;
  operationId: string;
  dueAt: Date;
  timeZone: string;
  failures: number;
  result: 'succeeded' | 'failed' | 'cancelled';
  message: string;
  endedAt: Date;
}

/** The scheduled backups whose end is still to be dealt with. */
export async function listEndedRuns(platform: Platform): Promise<EndedRun[]> {
  const { rows } = await sql<EndedRun>`
    select r.database_id as "databaseId", r.operation_id as "operationId", (o.input ->> 'dueOnUtc')::timestamptz as "dueAt",
      r.failures, o.state as result, o.message, o.finished_at as "endedAt",
      known_time_zone(s.time_zone) as "timeZone", s.frequency, s.keep_hourly as "keepHourly", s.keep_daily as "keepDaily",
      s.keep_weekly as "keepWeekly", s.keep_monthly as "keepMonthly"
    from backup_schedule_runs r
    join effective_backup_schedules s on s.database_id = r.database_id
    join operations o on o.id = r.operation_id
    where o.state in ('succeeded', 'failed', 'cancelled')
    order by o.finished_at`.execute(platform);
  return rows;
}

/** Notes that a due backup was made, or given up by somebody: the next one is due. */
export async function advanceRun(platform: Platform, run: EndedRun): Promise<void> {
  await sql`
    update backup_schedule_runs r set
      due_at = due.next, retry_at = null, failures = 0, operation_id = null,
      last_result = ${run.result}, last_message = ${run.message}, last_ended_at = ${run.endedAt}
    from effective_backup_schedules s
    cross join lateral backup_due(s.frequency, s.hour, s.weekday, s.minute, known_time_zone(s.time_zone), ${run.dueAt}) as due
    where r.operation_id = ${run.operationId} and s.database_id = r.database_id and due.next is not null`.execute(
    platform,
  );
}

/**
 * Notes that a due backup failed, and that it is tried again after a pause.
 * @param run `operationId` null: it could not even be queued; `pause` in milliseconds
 */
export async function postponeFailedRun(
  platform: Platform,
  run: { databaseId: string; operationId: string | null; message: string; endedAt: Date; pause: number },
): Promise<void> {
  const { databaseId, operationId, message, endedAt, pause } = run;
  await platform
    .updateTable('backupScheduleRuns')
    .set({
      retryAt: sql<Date>`${postgresNow} + ${seconds(pause / 1_000)}`,
      failures: sql`failures + 1`,
      operationId: null,
      lastResult: 'failed',
      lastMessage: message,
      lastEndedAt: endedAt,
    })
    .where('databaseId', '=', databaseId)
    .where('operationId', 'is not distinct from', operationId)
    .execute();
}

/**
 * The ready backups that the schedule of a database made, newest first, with their periods in the time zone of the run that has made the
 * last one. What was due after that one was made by a clock that was ahead: it is older than all others.
 * @param stores the names of those in use
 */
export async function listScheduledBackups(
  platform: Platform,
  { databaseId, timeZone, dueAt }: EndedRun,
  stores: readonly string[],
): Promise<ScheduledBackup[]> {
  const local = sql`due_at at time zone ${timeZone}`;
  const { rows } = await sql<ScheduledBackup>`
    select id, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24') as hour, to_char(${local}, 'YYYY-MM-DD') as day,
      to_char(${local}, 'IYYY-IW') as week, to_char(${local}, 'YYYY-MM') as month,
      coalesce(proof ->> 'result' = 'proved', false) as "isProved",
      coalesce(proof ->> 'result' = 'failed', false) as "isFailed",
      array(
        select store from backup_copies c
        where c.backup_id = backups.id and c.sha256 <> '' and c.state <> 'deleting' and c.store = any(${stores}::text[])
      ) as stores
    from backups
    where database_id = ${databaseId} and due_at is not null and state = 'ready'
    order by ${newestFirst('due_at', dueAt)}`.execute(platform);
  return rows;
}

/** How it stands with the schedules of databases. */
export interface ScheduleFigures {
  /** Databases by how their last scheduled backup ended; 'none' before the first. */
  byLastResult: Record<EndedRun['result'] | 'none', number>;
  late: number;
  /** For how long the backup that waits longest has been due, in seconds; 0 where none is. */
  lateness: number;
}

/**
 * Of databases that are ready: one that is parked keeps its schedule, and no backup of it is due. Which are late does not follow from
 * their marks: those are set by workers, and that none runs is when somebody must be told.
 */
export async function countRuns(platform: Platform, now: Date): Promise<ScheduleFigures> {
  const { rows } = await sql<ScheduleFigures>`
    select json_build_object(
        'succeeded', count(*) filter (where last_result = 'succeeded'),
        'failed', count(*) filter (where last_result = 'failed'),
        'cancelled', count(*) filter (where last_result = 'cancelled'),
        'none', count(*) filter (where last_result is null)
      ) as "byLastResult",
      count(*) filter (where ${isLate(now)})::int as late,
      greatest(0, extract(epoch from ${now} - min(due_at)))::float8 as lateness
    from backup_schedule_runs r
    join databases d on d.id = r.database_id and d.state = 'ready'`.execute(platform);
  const [figures] = rows;
  if (!figures) throw new Error('The schedules of backups cannot be counted.');
  return figures;
}
