import { z } from 'zod';
import { sentSha256 } from './backups.ts';
import { deletedBy } from './caller-stamp.ts';
import { byDatabaseName, databaseName } from './database-name.ts';
import { count, limitedRecord } from './fields.ts';
import { route } from './route.ts';
import { TENANT_TABLE_NAMES } from './tenant-tables.ts';
import { id, requiredText } from './text.ts';

const PORT_INVALID = 'Port should be a number from 1 to 65535';
/** PostgreSQL's names have at most 63 bytes; those of a table here have their schema before them. */
const SOURCE_NAME_MAX = 200;
/** More than any of the platform's tables has. */
const COLUMNS_MAX = 200;

/** A table of the database that is adopted. */
const sourceTable = z.object({
  /** Number within the archive. */
  id: z.string(),
  /** With its schema where that is not `public`. */
  name: z.string(),
  columns: z.array(z.string()),
  /** Null: not counted, as that would have taken too long, or it was gone meanwhile. */
  rows: count.nullable(),
});
export type SourceTable = z.infer<typeof sourceTable>;

/** What becomes of one of the platform's tables. */
const adoptedTable = z.object({
  table: z.enum(TENANT_TABLE_NAMES),
  /** Id of the table whose rows it gets; null: it stays empty. */
  source: z.string().nullable(),
  /**
   * - fits: name and columns are the same
   * - mapped: its rows come from a table or columns of other names, or some columns are filled or left out
   * - missing: nothing of the source goes there
   */
  state: z.enum(['fits', 'mapped', 'missing']),
  columns: z.array(
    z.object({
      name: z.string(),
      /** The column of the source; null: the column gets its default, or stays empty. */
      source: z.string().nullable(),
      /** Whether it can be neither empty nor left to a default: without a source every row is rejected. */
      isRequired: z.boolean(),
    }),
  ),
  /** Columns of the source's table that go nowhere. */
  leftOut: z.array(z.string()),
});
export type AdoptedTable = z.infer<typeof adoptedTable>;

/** What is in a database that is adopted, and what will become of it. */
export const adoptionPlan = z.object({
  /** Of the inspection, which is kept for a day. */
  id: z.string(),
  /** The encoding of its texts, as PostgreSQL calls it. */
  encoding: z.string(),
  sourceTables: z.array(sourceTable),
  tables: z.array(adoptedTable),
  /** Ids of the tables that stay behind. */
  extra: z.array(z.string()),
  /** Whether it has large objects, which stay behind too: no table of the platform refers to any. */
  hasLargeObjects: z.boolean(),
  digest: z.string(),
});
export type AdoptionPlan = z.infer<typeof adoptionPlan>;

/** Where the rows of one of the platform's tables come from. What is not chosen is suggested by the names. */
const tableChoice = z.object({
  table: z.enum(TENANT_TABLE_NAMES, { error: 'table must be one of the platform' }),
  /** Id of a table of the source; null: none. */
  source: z.string({ error: 'source must be a table of the source or null' }).max(SOURCE_NAME_MAX).nullable(),
  /** Columns of that table by those of the platform's; null: none. */
  columns: limitedRecord(
    z.string().max(SOURCE_NAME_MAX),
    z.string().max(SOURCE_NAME_MAX).nullable(),
    COLUMNS_MAX,
    `At most ${COLUMNS_MAX} columns`,
  ).default({}),
});
export type TableChoice = z.infer<typeof tableChoice>;

/** A database on a PostgreSQL server. */
export const sourceServer = z.object({
  host: requiredText(255, 'Host is Required', 'Host should not be more than 255 characters'),
  port: z.coerce
    .number({ error: PORT_INVALID })
    .int(PORT_INVALID)
    .min(1, PORT_INVALID)
    .max(65_535, PORT_INVALID)
    .default(5432),
  database: requiredText(63, 'Database is Required', 'Database should not be more than 63 characters'),
  user: requiredText(63, 'User is Required', 'User should not be more than 63 characters'),
  password: z
    .string({ error: 'Password should be a text' })
    .max(1000, 'Password should not be more than 1000 characters')
    .default(''),
  /** As libpq calls it: whether the connection is encrypted, and the server's certificate verified. */
  tls: z
    .enum(['verify-full', 'require', 'disable'], { error: 'TLS must be verify-full, require or disable' })
    .default('verify-full'),
});
export type SourceServer = z.infer<typeof sourceServer>;

const choices = {
  id: id(),
  tables: z
    .array(tableChoice, { error: 'tables must be a list' })
    .max(TENANT_TABLE_NAMES.length, 'tables has a table twice')
    .default([]),
};

/** What is to be adopted, under which name. */
export const adoptDatabase = z.object({
  ...choices,
  databaseName: databaseName('Database Name is Required'),
  plan: z.string().max(100).optional(),
});

/** What became of a table of the source that was read. */
const tableReport = z.object({
  table: z.string(),
  source: z.string(),
  read: count,
  loaded: count,
  rejected: count,
  /** Columns that went nowhere, with how many rows had a value there. */
  leftOut: z.array(z.object({ column: z.string(), values: count })),
});

/** What became of every row. */
export const adoptionReport = z.object({
  id: z.string(),
  databaseName: z.string(),
  rows: count,
  rejected: count,
  tables: z.array(tableReport),
  /** Tables that stayed behind. */
  extra: z.array(z.object({ name: z.string(), rows: count.nullable() })),
  hasLargeObjects: z.boolean(),
});
export type AdoptionReport = z.infer<typeof adoptionReport>;

export const adoptionRoutes = {
  inspectArchive: route({
    feature: 'databases',
    summary:
      'Look into an archive of a PostgreSQL database that is not of this platform, and keep it for a day to adopt it',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/inspectarchive',
    permission: 'databases.restore',
    upload: true,
    query: z.object({ sha256: sentSha256 }),
    result: adoptionPlan,
  }),
  inspectServer: route({
    feature: 'databases',
    summary: 'Look into a database on another PostgreSQL server, and keep the way to it for a day to adopt it',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/inspectserver',
    permission: 'databases.restore',
    body: sourceServer,
    result: adoptionPlan,
  }),
  plan: route({
    feature: 'databases',
    summary: 'What becomes of each table of an inspected database, with the tables and columns that are chosen',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/planadoption',
    permission: 'databases.restore',
    body: z.object(choices),
    result: adoptionPlan,
  }),
  adopt: route({
    feature: 'databases',
    summary: 'Make a new database of the rows of an inspected one; what does not fit is kept as rejected rows',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/adoptdatabase',
    permission: 'databases.restore',
    keyed: true,
    operation: true,
    body: adoptDatabase,
    result: adoptionReport,
  }),
  downloadRejected: route({
    feature: 'databases',
    summary: 'The rows that were rejected when a database was adopted, as CSV',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/downloadrejectedrows',
    // As of backups: they are rows of patients.
    permission: 'databases.write',
    download: true,
    fileTypes: ['text/csv'],
    query: byDatabaseName,
    result: z.unknown(),
  }),
  deleteRejected: route({
    feature: 'databases',
    summary: 'Delete the rows that were rejected when a database was adopted, for good',
    base: 'api',
    method: 'DELETE',
    path: '/managedatabase/deleterejectedrows',
    permission: 'databases.delete',
    fresh: true,
    query: byDatabaseName.extend(deletedBy),
    result: z.object({ databaseName: z.string(), rows: count }),
  }),
};
