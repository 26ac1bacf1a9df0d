import { z } from 'zod';
import { deletedBy } from './caller-stamp.ts';
import { DATABASE_NAME_MAX, databaseName, existingDatabaseName } from './database-name.ts';
import { byId, count } from './fields.ts';
import { planOfDatabase, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { optionalText } from './text.ts';

const SHA256_INVALID = 'SHA-256 should be 64 hexadecimal digits';

/** An archive of a database, in the custom format of pg_dump. */
export const backup = z.object({
  id: z.string(),
  /** The database's name when it was made, or the name that an uploaded archive was given. */
  databaseName: z.string(),
  origin: z.enum(['made', 'uploaded']),
  sizeBytes: count,
  /** Lower-case hex. */
  sha256: z.string(),
  schemaVersion: count,
  /** Rows in it; null for an uploaded archive, which does not tell. */
  rows: count.nullable(),
  createdBy: z.string().nullable(),
  createdOnUtc: z.string(),
});
export type Backup = z.infer<typeof backup>;

/** The form for an archive from elsewhere; its digest, in hex of any case, may be left out. */
export const uploadArchiveForm = z.object({
  databaseName: databaseName('Database Name is Required'),
  sha256: optionalText(1000, SHA256_INVALID)
    .transform((value) => value.toLowerCase())
    .refine((value) => value === '' || /^[0-9a-f]{64}$/.test(value), SHA256_INVALID),
});

/** A table of an archive that restoring does not load, because the platform has no such table. */
const leftOutTable = z.object({
  /** With its schema where that is not `public`. */
  name: z.string(),
  /** null: not counted. */
  rows: count.nullable(),
});
export type LeftOutTable = z.infer<typeof leftOutTable>;

/** Absent in what a server answered that did not tell it yet. */
const leftOut = z.array(leftOutTable).optional();

/** What restoring would replace, and what of the archive it would leave out. */
export const restorePlan = z.object({
  ...planOfDatabase,
  /** Whether a database of this name is there and would be replaced; if not, the figures are 0. */
  replaces: z.boolean(),
  sizeBytes: count,
  leftOut,
});
export type RestorePlan = z.infer<typeof restorePlan>;

/** The same before it is agreed to, with when the chosen backup was made. */
export const backupRestorePlan = restorePlan.extend({ backupOnUtc: z.string() });
export type BackupRestorePlan = z.infer<typeof backupRestorePlan>;

/** The restore dialog: the name of a new database, or of one that is replaced. */
export const restoreDatabaseForm = z.object({ databaseName: databaseName('Database Name is Required') });

export const backupRoutes = {
  create: route({
    feature: 'databases',
    summary: 'Back up a database: pg_dump in custom format, with size and SHA-256',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/backupdatabase',
    permission: 'databases.write',
    operation: true,
    query: z.object({ databaseName: existingDatabaseName('databaseName') }),
    result: backup,
  }),
  list: route({
    feature: 'databases',
    summary: 'The backups, newest first; of one database where it is named',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getbackups',
    permission: 'databases.read',
    query: z.object({
      databaseName: optionalText(DATABASE_NAME_MAX, 'databaseName should not be more than 256 characters').optional(),
    }),
    result: z.array(backup),
  }),
  download: route({
    feature: 'databases',
    summary: 'The archive of a backup',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/downloadbackup',
    // A backup holds every record of a tenant: reading names and sizes is not enough to take it away.
    permission: 'databases.write',
    download: true,
    query: byId,
    result: z.unknown(),
  }),
  upload: route({
    feature: 'databases',
    summary: 'Take in an archive from elsewhere: checked before it is kept',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/uploadbackup',
    permission: 'databases.restore',
    upload: true,
    query: uploadArchiveForm,
    result: backup,
  }),
  delete: route({
    feature: 'databases',
    summary: 'Delete a backup for good',
    base: 'api',
    method: 'DELETE',
    path: '/managedatabase/deletebackup',
    permission: 'databases.delete',
    query: byId.extend(deletedBy),
    // Whether its archive is gone too; if not, the server tries again until it is.
    result: z.object({ id: z.string(), isRemoved: z.boolean() }),
  }),
  planRestore: route({
    feature: 'databases',
    summary: 'What restoring would replace; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewrestore',
    permission: 'databases.read',
    query: byId.extend({ databaseName: databaseName('Database Name is Required') }),
    result: backupRestorePlan,
  }),
  restore: route({
    feature: 'databases',
    summary: 'Restore a backup into a new database, or over one that is there: beside it, verified, then swapped in',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/restoredatabase',
    permission: 'databases.restore',
    operation: true,
    query: byId.extend({
      databaseName: databaseName('Database Name is Required'),
      ...sentPlan,
    }),
    result: z.object({
      id: z.string(),
      databaseName: z.string(),
      rows: count,
      leftOut,
    }),
  }),
};
