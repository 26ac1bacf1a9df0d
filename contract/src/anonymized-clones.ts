import { z } from 'zod';
import { anonymizationReport } from './anonymization.ts';
import { backupScheduleForm } from './backup-schedules.ts';
import { updatedBy } from './caller-stamp.ts';
import { byDatabaseName, databaseName, existingDatabaseName } from './database-name.ts';
import { OPERATION_STATES } from './operations.ts';
import { deletionPlan, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { utcMoment } from './text.ts';
import { sentVersion, version } from './version.ts';

/** How often an anonymized clone is made anew from its source by itself. */
export const REFRESH_FREQUENCIES = ['off', 'daily', 'weekly'] as const;
export type RefreshFrequency = (typeof REFRESH_FREQUENCIES)[number];

/** When an anonymized clone is refreshed. The hour is one of the time zone of its source's tenant. */
export const refreshScheduleForm = backupScheduleForm
  .pick({ hour: true, weekday: true })
  .extend({ frequency: z.enum(REFRESH_FREQUENCIES, { error: 'Frequency is Required' }) });
export type RefreshScheduleForm = z.output<typeof refreshScheduleForm>;

/** What making an anonymized clone, or refreshing one, did. */
export const anonymizedCloneReport = anonymizationReport.extend({
  id: z.string(),
  copiedFrom: z.string(),
  /** What the source has beyond the platform's own schema: it is not in the clone. */
  leftOut: z.array(z.object({ kind: z.string(), name: z.string() })),
});
export type AnonymizedCloneReport = z.infer<typeof anonymizedCloneReport>;

/** An anonymized clone, when it is refreshed, and how the last time ended. */
export const anonymizedClone = z.object({
  databaseName: z.string(),
  /** Null when its source is gone: it can be refreshed no more. */
  copiedFrom: z.string().nullable(),
  /** Of which moment its rows are. */
  refreshedOnUtc: utcMoment,
  schedule: refreshScheduleForm,
  version,
  timezoneId: z.string(),
  nextRunOnUtc: utcMoment.nullable(),
  /** The newest refresh, if it has ever been refreshed. */
  lastRefresh: z.object({ state: z.enum(OPERATION_STATES), message: z.string() }).nullable(),
});
export type AnonymizedClone = z.infer<typeof anonymizedClone>;

/** What refreshing an anonymized clone would replace: rows, size, connections and newest backup are those of the clone. */
export const refreshPlan = deletionPlan.extend({
  copiedFrom: z.string(),
  /** Of which moment the rows are that would go. */
  refreshedOnUtc: utcMoment,
});
export type RefreshPlan = z.infer<typeof refreshPlan>;

export const anonymizedCloneRoutes = {
  cloneAnonymized: route({
    feature: 'databases',
    summary: 'Copy a database and anonymize the copy before anybody can connect to it; needs databases.write too',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/cloneanonymized',
    permission: 'databases.purge',
    keyed: true,
    fresh: true,
    operation: true,
    query: z.object({
      copyFrom: existingDatabaseName('copyFrom'),
      databaseName: databaseName('Duplicate Database Name is Required'),
    }),
    result: anonymizedCloneReport,
  }),
  planRefresh: route({
    feature: 'databases',
    summary: 'What refreshing an anonymized clone would replace; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewrefresh',
    permission: 'databases.read',
    query: byDatabaseName,
    result: refreshPlan,
  }),
  refresh: route({
    feature: 'databases',
    summary:
      'Make an anonymized clone anew from its source; role and connection string stay; needs databases.write too',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/refreshclone',
    permission: 'databases.purge',
    fresh: true,
    operation: true,
    query: byDatabaseName.extend(sentPlan),
    result: anonymizedCloneReport,
  }),
  get: route({
    feature: 'databases',
    summary: 'An anonymized clone: its source, when it is refreshed, and how the last time ended',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/refreshschedule',
    permission: 'databases.read',
    query: byDatabaseName,
    result: anonymizedClone,
  }),
  set: route({
    feature: 'databases',
    summary: 'Set when an anonymized clone is refreshed by itself; needs databases.write too',
    base: 'api',
    method: 'PUT',
    path: '/managedatabase/refreshschedule',
    permission: 'databases.purge',
    fresh: true,
    query: byDatabaseName,
    body: refreshScheduleForm.extend({ ...sentVersion, ...updatedBy }),
    result: anonymizedClone,
  }),
};
