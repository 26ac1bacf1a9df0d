import { z } from 'zod';
import { deletedBy } from './caller-stamp.ts';
import { byDatabaseName, DATABASE_NAME_MAX, databaseName } from './database-name.ts';
import { byId, count, tooLong } from './fields.ts';
import { planOfDatabase, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { atMost, id, optionalText, utcMoment } from './text.ts';

const SHA256_INVALID = 'SHA-256 should be 64 hexadecimal digits';

/** A copy of a backup's archive in a store. */
const backupCopy = z.object({
  /** Its place, without credentials. */
  store: z.string(),
  state: z.enum(['waiting', 'copying', 'copied', 'failed', 'deleting']),
  /** Whether what lies there is encrypted. */
  isEncrypted: z.boolean(),
  /** Failures since it last succeeded. */
  attempts: count,
  /** Of the last failure; empty after a success. */
  reason: z.string(),
});
export type BackupCopy = z.infer<typeof backupCopy>;

/** How the last proof of a backup ended: its archive was restored into a scratch database, which was dropped again. */
const backupProof = z.object({
  result: z.enum(['proved', 'failed']),
  endedOnUtc: utcMoment,
  /** How long restoring and comparing took, in milliseconds; null where that failed. */
  restoreMs: count.nullable(),
  /** What the rows were compared with; null where it failed. An uploaded archive may say nothing of its rows. */
  comparedWith: z.enum(['checksums', 'counts', 'nothing']).nullable(),
  /** Why it failed, else empty. */
  reason: z.string(),
  /** The tables that it failed for, where that is known. */
  tables: z.array(z.string()),
});
export type BackupProof = z.infer<typeof backupProof>;

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
  /** Rows in it; null for an uploaded archive, which does not say. */
  rows: count.nullable(),
  createdBy: z.string().nullable(),
  createdOnUtc: utcMoment,
  /** By store. Stored answers of versions of the server without stores have none. */
  copies: z.array(backupCopy).default([]),
  /** Null: it was never proved. */
  proof: backupProof.nullable().default(null),
});
export type Backup = z.infer<typeof backup>;

/** How many backups a list with a limit answers at most. */
export const BACKUPS_MAX = 1_000;

const LIMIT_INVALID = `limit should be a whole number from 1 to ${BACKUPS_MAX}`;
const limit = z
  .string({ error: LIMIT_INVALID })
  .check(atMost(4, LIMIT_INVALID))
  .regex(/^\d{1,4}$/, LIMIT_INVALID)
  .transform(Number)
  .pipe(z.int({ error: LIMIT_INVALID }).min(1, LIMIT_INVALID).max(BACKUPS_MAX, LIMIT_INVALID));

/** The digest of a file that is sent. It may be left out; upper and lower case make no difference. */
export const sentSha256 = optionalText(1000, SHA256_INVALID)
  .transform((value) => value.toLowerCase())
  .refine((value) => value === '' || /^[0-9a-f]{64}$/.test(value), SHA256_INVALID);

/** The form for uploading an archive. */
export const uploadArchiveForm = z.object({
  databaseName: databaseName('Database Name is Required'),
  sha256: sentSha256,
});

/** Something in an archive that a restore does not make. Earlier versions of the server stored names and rows of tables only. */
const leftOutObject = z.object({
  /** As pg_dump calls it, in lower case: 'table', 'view', 'extension', 'event trigger'. */
  kind: z.string().default('table'),
  /** With its schema where that is not `public`. */
  name: z.string(),
  /** Of a table; null: not counted, or no table. */
  rows: count.nullable(),
  reason: z.string().default(''),
});
export type LeftOutObject = z.infer<typeof leftOutObject>;

/** Absent in stored answers of versions of the server that did not list them. */
const leftOut = z.array(leftOutObject).optional();

/** What a restore would replace, and what of the archive it would leave out. */
export const restorePlan = z.object({
  ...planOfDatabase,
  /** Whether a database of this name exists and would be replaced; if not, the figures are 0. */
  replaces: z.boolean(),
  sizeBytes: count,
  leftOut,
});
export type RestorePlan = z.infer<typeof restorePlan>;

/** The plan that the confirmation shows: it also says when the chosen backup was made. */
export const backupRestorePlan = restorePlan.extend({ backupOnUtc: utcMoment });
export type BackupRestorePlan = z.infer<typeof backupRestorePlan>;

/** The restore dialog: the name of the new database, or of the one to replace. */
const targetName = databaseName('Database Name is Required');
export const restoreDatabaseForm = z.object({ databaseName: targetName });

export const backupRoutes = {
  create: route({
    feature: 'databases',
    summary: 'Back up a database: pg_dump in custom format, with size and SHA-256',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/backupdatabase',
    permission: 'databases.write',
    keyed: true,
    operation: true,
    query: byDatabaseName,
    result: backup,
  }),
  list: route({
    feature: 'databases',
    summary: `The backups, newest first; with 'limit' so many at most, up to ${BACKUPS_MAX}, and with 'before' those behind that one; of one database where it is named; with 'search' those whose database's name has each of its words; or those that are the newest of their database and cannot be restored`,
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getbackups',
    permission: 'databases.read',
    errors: ['not-found'],
    query: z.object({
      /** The backup with this id alone; none where there is none. */
      id: id('id must be the id of a backup').optional(),
      databaseName: optionalText(DATABASE_NAME_MAX, tooLong('databaseName', DATABASE_NAME_MAX)).optional(),
      /** Words of names: each must be in it, whatever its case and accents. */
      search: optionalText(DATABASE_NAME_MAX, tooLong('search', DATABASE_NAME_MAX)).optional(),
      /** Only those that the list has after this one. */
      before: id('before must be the id of a backup').optional(),
      /** How many at most; absent: all. */
      limit: limit.optional(),
      isUnrestorable: z.enum(['true', 'false'], { error: "isUnrestorable must be 'true' or 'false'" }).default('false'),
    }),
    result: z.array(backup),
    list: true,
  }),
  download: route({
    feature: 'databases',
    summary: 'The archive of a backup',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/downloadbackup',
    // A backup holds every record of a tenant: the permission to read names and sizes is not enough for it.
    permission: 'databases.write',
    download: true,
    query: byId,
    result: z.unknown(),
    errors: ['damaged-archive', 'store-away'],
  }),
  upload: route({
    feature: 'databases',
    summary: 'Upload an archive; it is checked before it is kept',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/uploadbackup',
    permission: 'databases.restore',
    upload: true,
    query: uploadArchiveForm,
    result: backup,
    errors: ['damaged-archive', 'tools-missing'],
  }),
  delete: route({
    feature: 'databases',
    summary: 'Delete a backup for good',
    base: 'api',
    method: 'DELETE',
    path: '/managedatabase/deletebackup',
    permission: 'databases.delete',
    fresh: true,
    query: byId.extend(deletedBy),
    // Whether the archive's file and its copies are removed too; if not, the server tries again until they are.
    result: z.object({ id: z.string(), isRemoved: z.boolean() }),
  }),
  planRestore: route({
    feature: 'databases',
    summary: 'What a restore would replace; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewrestore',
    permission: 'databases.read',
    query: byId.extend({ databaseName: targetName }),
    result: backupRestorePlan,
    errors: ['damaged-archive', 'store-away'],
  }),
  restore: route({
    feature: 'databases',
    summary:
      'Restore a backup as a new database, or in place of an existing one: loaded next to it, verified, then swapped in',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/restoredatabase',
    permission: 'databases.restore',
    keyed: true,
    fresh: true,
    operation: true,
    query: byId.extend({ databaseName: targetName, ...sentPlan }),
    result: z.object({ id: z.string(), databaseName: z.string(), rows: count, leftOut }),
    errors: ['store-away'],
  }),
};
