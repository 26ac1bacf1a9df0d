import type { BackupSchedule, BackupScheduleForm, ScheduledDatabase } from '@apotheca/contract/backup-schedules';

const OFF: BackupScheduleForm = {
  frequency: 'off',
  hour: 2,
  weekday: 7,
  keepHourly: 24,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
};

/** A database that is backed up each night. */
export const makeScheduledDatabase = (fields: Partial<ScheduledDatabase> = {}): ScheduledDatabase => ({
  id: 'd1',
  databaseName: 'CEDARVA',
  tenantCode: 'CEDARVA',
  isOwn: true,
  frequency: 'daily',
  hour: 2,
  weekday: 7,
  timezoneId: 'America/Los_Angeles',
  nextRunOnUtc: '2026-11-21T10:17:00.000Z',
  retryOnUtc: null,
  isRunning: false,
  lastResult: 'succeeded',
  lastMessage: '',
  lastEndedOnUtc: '2026-11-20T10:18:00.000Z',
  newestBackupOnUtc: '2026-11-20T10:17:00.000Z',
  isLate: false,
  ...fields,
});

/** The schedule of a database that follows the default. */
export const makeSchedule = (fields: Partial<BackupSchedule> = {}): BackupSchedule => ({
  databaseName: 'CEDARVA',
  schedule: { ...OFF, frequency: 'default' },
  version: 1,
  defaultSchedule: OFF,
  state: makeScheduledDatabase({ frequency: 'off', isOwn: false, nextRunOnUtc: null, lastResult: null }),
  ...fields,
});
