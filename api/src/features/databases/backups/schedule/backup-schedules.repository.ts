import type { BackupScheduleForm, ScheduledDatabase } from '@apotheca/contract/backup-schedules';
import { sql } from 'kysely';
import { type TrackedList, utcMoment } from '../../../../db/json-list.ts';
import type { Platform, Trx } from '../../../../db/platform.ts';

/** A schedule as it is stored. */
export interface ScheduleRow extends BackupScheduleForm {
  version: number;
}

const COLUMNS = [
  'frequency',
  'hour',
  'weekday',
  'keepHourly',
  'keepDaily',
  'keepWeekly',
  'keepMonthly',
  'version',
] as const;

/** @param databaseId null: the default */
export function findSchedule(platform: Platform, databaseId: string | null): Promise<ScheduleRow | undefined> {
  return platform
    .selectFrom('backupSchedules')
    .select(COLUMNS)
    .where('databaseId', 'is not distinct from', databaseId)
    .executeTakeFirst();
}

/** Stores what a database follows that has no row yet, so that an edit has a row to lock. */
export async function insertFollower(trx: Trx, databaseId: string, schedule: BackupScheduleForm): Promise<void> {
  await trx
    .insertInto('backupSchedules')
    .values({ ...schedule, databaseId })
    .onConflict((conflict) => conflict.constraint('backup_schedules__database_id').doNothing())
    .execute();
}

/** Locks a schedule until the transaction ends. @param databaseId null: the default */
export function lockSchedule(trx: Trx, databaseId: string | null): Promise<ScheduleRow> {
  return trx
    .selectFrom('backupSchedules')
    .select(COLUMNS)
    .where('databaseId', 'is not distinct from', databaseId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Changes a schedule and increments its version. @param databaseId null: the default */
export async function updateSchedule(trx: Trx, databaseId: string | null, schedule: BackupScheduleForm): Promise<void> {
  await trx
    .updateTable('backupSchedules')
    .set({ ...schedule, version: sql`version + 1` })
    .where('databaseId', 'is not distinct from', databaseId)
    .execute();
}

/** A ready database in the shape of contract/backup-schedules `scheduledDatabase`. */
const STATE = `
  select
    d.id, d.name as "databaseName", t.code as "tenantCode", s.is_own as "isOwn",
    s.frequency, s.hour, s.weekday, s.time_zone as "timezoneId",
    ${utcMoment('r.due_at')} as "nextRunOnUtc", ${utcMoment('r.retry_at')} as "retryOnUtc",
    r.operation_id is not null as "isRunning",
    r.last_result as "lastResult", coalesce(r.last_message, '') as "lastMessage",
    ${utcMoment('r.last_ended_at')} as "lastEndedOnUtc",
    ${utcMoment("(select max(b.created_at) from backups b where b.database_id = d.id and b.state = 'ready')")} as "newestBackupOnUtc",
    coalesce(r.is_late, false) as "isLate"
  from databases d
  join effective_backup_schedules s on s.database_id = d.id
  left join tenants t on t.id = d.tenant_id
  left join backup_schedule_runs r on r.database_id = d.id
  where d.state = 'ready'`;

export async function findScheduledDatabase(
  platform: Platform,
  databaseId: string,
): Promise<ScheduledDatabase | undefined> {
  const { rows } = await sql<ScheduledDatabase>`${sql.raw(STATE)} and d.id = ${databaseId}`.execute(platform);
  return rows[0];
}

/** The databases that have a schedule, by name: those that are late first. */
export const scheduledDatabasesList: TrackedList<{ isLate: 'true' | 'false' }> = {
  tables: ['databases', 'tenants', 'backups', 'backup_schedules', 'backup_schedule_runs'],
  select: ({ isLate }) => ({
    name: 'scheduled-databases',
    values: [isLate === 'true'],
    rows: `${STATE} and (not $1::boolean or r.is_late) order by coalesce(r.is_late, false) desc, d.name`,
  }),
};
