import { z } from 'zod';
import { updatedBy } from './caller-stamp.ts';
import { existingDatabaseName } from './database-name.ts';
import { route } from './route.ts';
import { utcMoment } from './text.ts';
import { sentVersion, version } from './version.ts';

/** How often a database is backed up by itself. */
export const BACKUP_FREQUENCIES = ['off', 'hourly', 'daily', 'weekly'] as const;
export type BackupFrequency = (typeof BACKUP_FREQUENCIES)[number];

/** The most backups of each kind that a schedule keeps. */
export const KEEP_MAX = { keepHourly: 168, keepDaily: 366, keepWeekly: 260, keepMonthly: 120 } as const;

const wholeNumber = (label: string, min: number, max: number) => {
  const error = `${label} should be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
};

const times = {
  /** In the tenant's time zone; of schedules by the day and by the week. */
  hour: wholeNumber('Hour', 0, 23),
  /** ISO 8601: 1 is Monday, 7 Sunday; of schedules by the week. */
  weekday: wholeNumber('Weekday', 1, 7),
};

const kept = {
  /** Of the last so many hours, days, weeks and months that have a scheduled backup, the newest of each is kept. */
  keepHourly: wholeNumber('Hourly Backups', 0, KEEP_MAX.keepHourly),
  keepDaily: wholeNumber('Daily Backups', 0, KEEP_MAX.keepDaily),
  keepWeekly: wholeNumber('Weekly Backups', 0, KEEP_MAX.keepWeekly),
  keepMonthly: wholeNumber('Monthly Backups', 0, KEEP_MAX.keepMonthly),
};

/** A schedule. `default`, of a single database only: as the default says. */
export const backupScheduleForm = z.object({
  frequency: z.enum(['default', ...BACKUP_FREQUENCIES], { error: 'Frequency is Required' }),
  ...times,
  ...kept,
});
export type BackupScheduleForm = z.output<typeof backupScheduleForm>;

/** The schedule that counts for a database, and how it stands with its backups. */
export const scheduledDatabase = z.object({
  id: z.string(),
  databaseName: z.string(),
  tenantCode: z.string().nullable(),
  /** Whether it has a schedule of its own. */
  isOwn: z.boolean(),
  frequency: z.enum(BACKUP_FREQUENCIES),
  ...times,
  timezoneId: z.string(),
  /** When it is due; stays at that moment until its backup has succeeded. Null where there is no schedule. */
  nextRunOnUtc: utcMoment.nullable(),
  /** After a failure: when it is tried again. */
  retryOnUtc: utcMoment.nullable(),
  /** Whether its backup waits for its turn or is being made. */
  isRunning: z.boolean(),
  /** How the last scheduled backup ended; null before the first. */
  lastResult: z.enum(['succeeded', 'failed', 'cancelled']).nullable(),
  lastMessage: z.string(),
  lastEndedOnUtc: utcMoment.nullable(),
  /** Of all its backups, those made by hand too. */
  newestBackupOnUtc: utcMoment.nullable(),
  /** Whether the newest backup is older than the schedule allows. */
  isLate: z.boolean(),
});
export type ScheduledDatabase = z.infer<typeof scheduledDatabase>;

const schedule = z.object({
  /** Null: the default. */
  databaseName: z.string().nullable(),
  schedule: backupScheduleForm,
  version,
  /** What the default says, for a database that follows it. */
  defaultSchedule: backupScheduleForm,
  /** Null of the default, and of a database without a schedule. */
  state: scheduledDatabase.nullable(),
});
export type BackupSchedule = z.infer<typeof schedule>;

const ofDatabase = z.object({ databaseName: existingDatabaseName('databaseName').optional() });

export const backupScheduleRoutes = {
  get: route({
    feature: 'databases',
    summary: 'When a database is backed up by itself, and how the last time ended; without a name the default schedule',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/backupschedule',
    permission: 'databases.read',
    query: ofDatabase,
    result: schedule,
  }),
  set: route({
    feature: 'databases',
    summary:
      'Set when a database is backed up by itself, and what is kept: the rest is deleted; without a name the default schedule; needs databases.write too',
    base: 'api',
    method: 'PUT',
    path: '/managedatabase/backupschedule',
    permission: 'databases.delete',
    fresh: true,
    query: ofDatabase,
    body: backupScheduleForm.extend({ ...sentVersion, ...updatedBy }),
    result: schedule,
  }),
  list: route({
    feature: 'databases',
    summary:
      'The schedule of each database, and how it stands: next run, last result, newest backup, whether it is late',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getbackupschedules',
    permission: 'databases.read',
    query: z.object({
      isLate: z.enum(['true', 'false'], { error: "isLate must be 'true' or 'false'" }).default('false'),
    }),
    result: z.array(scheduledDatabase),
    list: true,
  }),
};
