import { z } from 'zod';
import { existingDatabaseName } from './database-name.ts';
import { count } from './fields.ts';
import { planOfDatabase, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { id } from './text.ts';

/** The checklist of a purge: at least one name. Names of no table are answered, not refused (DECISIONS §9). */
const tableNames = z
  .array(z.string(), { error: 'Table names are required' })
  .min(1, 'Select at least one table')
  .max(200, 'At most 200 tables')
  .transform((names) => [...new Set(names)]);

/** What a purge would do. */
export const purgePlan = z.object({
  ...planOfDatabase,
  /** Tables that would be emptied, with the rows that they hold. */
  tables: z.array(z.object({ name: z.string(), rows: count })),
  invalidTables: z.array(z.string()),
  /** Tables that must stay because rows of a table that is not ticked refer to them. */
  tablesNotDeleted: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type PurgePlan = z.infer<typeof purgePlan>;

/** Result of a purge (SPEC §3): the three lists partition the request. */
export const purgeResult = z.object({
  deletedTables: z.array(z.string()),
  invalidTables: z.array(z.string()),
  tablesNotDeleted: z.array(z.string()),
  /** The purge, for putting it back. */
  operationId: z.string(),
});
export type PurgeResult = z.infer<typeof purgeResult>;

/** A purge that can still be put back. */
export const purge = z.object({
  operationId: z.string(),
  purgedOnUtc: z.string(),
  /** Until when its rows are kept. */
  keptUntilUtc: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: count, putBack: z.boolean() })),
});
export type Purge = z.infer<typeof purge>;

const byName = z.object({ databaseName: existingDatabaseName('databaseName') });

export const purgeRoutes = {
  planPurge: route({
    feature: 'databases',
    summary: 'What emptying tables would remove; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewdelete',
    permission: 'databases.read',
    query: byName.extend({
      /** Table names, separated by commas. */
      tables: z
        .string({ error: 'Select at least one table' })
        .transform((text) => text.split(',').filter(Boolean))
        .pipe(tableNames),
    }),
    result: purgePlan,
  }),
  purge: route({
    feature: 'databases',
    summary: 'Empty tables and restart their identities; nothing is emptied by cascade',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/deletetablesdata',
    permission: 'databases.purge',
    operation: true,
    query: byName.extend(sentPlan),
    body: tableNames,
    result: purgeResult,
  }),
  listPurges: route({
    feature: 'databases',
    summary: 'The purges of a database that can still be put back, newest first',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getpurges',
    permission: 'databases.read',
    query: byName,
    result: z.array(purge),
  }),
  putBack: route({
    feature: 'databases',
    summary: 'Put the rows of a purge back, all tables or those named',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/putbacktablesdata',
    permission: 'databases.purge',
    operation: true,
    query: byName.extend({ operationId: id('operationId is required') }),
    body: tableNames,
    result: z.object({ tables: z.array(z.object({ name: z.string(), rows: count })) }),
  }),
};
