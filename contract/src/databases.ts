import { z } from 'zod';
import { deletedBy } from './caller-stamp.ts';
import { byDatabaseName, databaseName, existingDatabaseName } from './database-name.ts';
import { count } from './fields.ts';
import { operationKind } from './operations.ts';
import { deletionPlan, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { asName, asValue, type RowOrder } from './row-order.ts';
import { listQuery } from './sorting.ts';
import { DATABASE_ACCESS } from './tenant-access.ts';
import { newTenantCode } from './tenant-form.ts';
import { isTypedName, utcMoment } from './text.ts';

const NAME_MUST_DIFFER = 'Database name should be not same with existing name';

/**
 * The clone dialog (SPEC §5).
 * @param existing names of databases that exist, in any case
 */
export const cloneDatabaseForm = (existing: readonly string[]) =>
  newNameForm('Duplicate Database Name is Required', existing);

/** The rename dialog: the rules of a clone's name. */
export const renameDatabaseForm = (existing: readonly string[]) => newNameForm('Database Name is Required', existing);

const newNameForm = (required: string, existing: readonly string[]) => {
  const taken = new Set(existing.map((name) => name.toUpperCase().normalize('NFC')));
  return z.object({ databaseName: databaseName(required).refine((name) => !taken.has(name), NAME_MUST_DIFFER) });
};

/** The delete confirmation: the typed name must equal the database's (SPEC §5). */
export const deleteDatabaseForm = (name: string) =>
  z.object({
    typed: z
      .string()
      .min(1, { error: 'Database Name Required', abort: true })
      .refine((value) => isTypedName(value, name), 'Input value must be the same as the database name'),
  });

/** The sort keys of the list; the first is the default, and the only one that SPEC §2.13 asks for. */
export const DATABASE_SORT_COLUMNS = ['datName', 'tenantCode', 'sizeBytes', 'newestBackupOnUtc'] as const;
export type DatabaseSortColumn = (typeof DATABASE_SORT_COLUMNS)[number];

/** A database as the list gives it. */
export const database = z.object({
  id: z.string(),
  databaseName: z.string(),
  /** The database server that it lives on. */
  serverName: z.string(),
  /** The tenant that owns it; a clone has none. */
  tenantCode: z.string().nullable(),
  customerCode: z.string().nullable(),
  /** Name of the database that it was copied from, while that one exists. */
  copiedFrom: z.string().nullable(),
  /** Of an anonymized clone: of which moment its rows are. */
  refreshedOnUtc: utcMoment.nullable(),
  createdOnUtc: utcMoment,
  /** On disk, when it was last measured; null before the first time. */
  sizeBytes: count.nullable(),
  schemaVersion: count,
  /** Whether its schema is older than the server's: an upgrade is under way, or has failed. */
  isOutdated: z.boolean(),
  /** What the programs of its tenant may do in it. */
  access: z.enum(DATABASE_ACCESS),
  newestBackupOnUtc: utcMoment.nullable(),
  /** Whether one of its backups was restored to prove it. */
  hasProvedBackup: z.boolean(),
  /** The operation that works on it right now. */
  operation: z.object({ id: z.string(), kind: operationKind }).nullable(),
});
export type Database = z.infer<typeof database>;

export const DATABASE_ORDER: RowOrder<Database, DatabaseSortColumn> = {
  columns: {
    datName: asName(({ databaseName }) => databaseName),
    tenantCode: asName(({ tenantCode }) => tenantCode),
    sizeBytes: asValue(({ sizeBytes }) => sizeBytes),
    newestBackupOnUtc: asValue(({ newestBackupOnUtc }) => newestBackupOnUtc),
  },
  ties: [asName(({ databaseName }) => databaseName)],
};

/** What the view dialog shows of one database. */
export const databaseDetails = database
  .omit({ operation: true, isOutdated: true, access: true, hasProvedBackup: true })
  .extend({
    /** Name in PostgreSQL. */
    physicalName: z.string(),
    /** Login role of its own. */
    roleName: z.string(),
    sizeBytes: count,
    schemaVersion: count,
    /** Connections that are open right now. */
    connections: count,
    tables: z.array(z.object({ name: z.string(), rows: count, sizeBytes: count })),
    /** Tables of the platform that are missing or damaged, and so are not among the others. */
    unreadableTables: z.array(z.string()),
    /** Rows that were rejected when it was adopted, and are kept with it. */
    rejectedRows: count,
  });
export type DatabaseDetails = z.infer<typeof databaseDetails>;

/** What a database took on disk on a day (YYYY-MM-DD, in UTC). */
export const databaseSize = z.object({ day: z.string(), sizeBytes: count });
export type DatabaseSize = z.infer<typeof databaseSize>;

/**
 * GET /managedatabase/copydatabase (SPEC §7.3): `copyFrom` is the name of the database to copy, `databaseName` that of
 * the copy. With `isCreateTenant` a tenant is made for the copy under `tenantCode`, else it is a clone that no tenant owns.
 */
export const copyDatabaseQuery = z.discriminatedUnion(
  'isCreateTenant',
  [
    z.object({
      isCreateTenant: z.literal('true'),
      copyFrom: existingDatabaseName('copyFrom'),
      tenantCode: newTenantCode,
      databaseName: databaseName('Duplicate Database Name is Required'),
    }),
    z.object({
      isCreateTenant: z.literal('false').default('false'),
      copyFrom: existingDatabaseName('copyFrom'),
      tenantCode: z.string().max(100).optional(),
      databaseName: databaseName('Duplicate Database Name is Required'),
    }),
  ],
  { error: "isCreateTenant must be 'true' or 'false'" },
);

const changed = z.object({ id: z.string(), databaseName: z.string() });

export const databaseRoutes = {
  list: route({
    feature: 'databases',
    summary: 'All databases: those of tenants, and clones',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getalldatabase',
    permission: 'databases.read',
    query: listQuery(DATABASE_SORT_COLUMNS),
    result: z.array(database),
    list: true,
  }),
  details: route({
    feature: 'databases',
    summary: 'Size, tables with row counts, connections and schema version of a database',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/details',
    permission: 'databases.read',
    query: byDatabaseName,
    result: databaseDetails,
  }),
  sizes: route({
    feature: 'databases',
    summary:
      'What a database took on disk, oldest first: on each day of the last three months, and in each week of two years',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/sizes',
    permission: 'databases.read',
    query: byDatabaseName,
    result: z.array(databaseSize),
  }),
  planDeletion: route({
    feature: 'databases',
    summary: 'What deleting a database would destroy; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/checkdatabase',
    permission: 'databases.read',
    query: byDatabaseName,
    result: deletionPlan,
  }),
  delete: route({
    feature: 'databases',
    summary: 'Delete a clone; the database of a tenant goes with the tenant only',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/deletedatabase',
    permission: 'databases.delete',
    fresh: true,
    mutates: true,
    operation: true,
    query: byDatabaseName.extend({ ...sentPlan, ...deletedBy }),
    result: changed,
  }),
  rename: route({
    feature: 'databases',
    summary: 'Give a database another name; its tenant, its rows and its sessions stay',
    base: 'api',
    method: 'PUT',
    path: '/managedatabase/renamedatabase',
    permission: 'databases.write',
    operation: true,
    query: byDatabaseName.extend({ newName: databaseName('Database Name is Required') }),
    result: changed,
  }),
  copy: route({
    feature: 'databases',
    summary: 'Copy a database with every row: as a clone, or with a tenant of its own, which needs tenants.write too',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/copydatabase',
    permission: 'databases.write',
    keyed: true,
    mutates: true,
    operation: true,
    query: copyDatabaseQuery,
    result: changed,
  }),
};
