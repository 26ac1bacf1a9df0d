import { z } from 'zod';
import { byDatabaseName } from './database-name.ts';
import { count } from './fields.ts';
import { planOfDatabase, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { id, utcMoment } from './text.ts';

/** The tables that were ticked for a purge, at least one. Unknown names are listed in the answer, not refused (DECISIONS §9). */
const tableNames = z
  .array(z.string().max(10_000), { error: 'Table names are required' })
  .min(1, 'Select at least one table')
  .max(200, 'At most 200 tables')
  .transform((names) => [...new Set(names)]);

/** What a purge would do. */
export const purgePlan = z.object({
  ...planOfDatabase,
  /** Tables that would be emptied, with the rows that they hold. */
  tables: z.array(z.object({ name: z.string(), rows: count })),
  invalidTables: z.array(z.string()),
  /** Tables that must stay because rows of tables that are not ticked refer to them. */
  tablesNotDeleted: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type PurgePlan = z.infer<typeof purgePlan>;

/** Result of a purge (SPEC §3): the three lists partition the request. */
export const purgeResult = z.object({
  deletedTables: z.array(z.string()),
  invalidTables: z.array(z.string()),
  tablesNotDeleted: z.array(z.string()),
  /** The purge's operation, by which its rows are put back. */
  operationId: z.string(),
});
export type PurgeResult = z.infer<typeof purgeResult>;

/** A purge that can still be put back. */
export const purge = z.object({
  operationId: z.string(),
  purgedOnUtc: utcMoment,
  /** When its rows are deleted for good. */
  keptUntilUtc: utcMoment,
  tables: z.array(z.object({ name: z.string(), rows: count, putBack: z.boolean() })),
});
export type Purge = z.infer<typeof purge>;

export const purgeRoutes = {
  planPurge: route({
    feature: 'databases',
    summary:
      'What a purge of the tables, whose names are separated by commas, would remove; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewdelete',
    permission: 'databases.read',
    query: byDatabaseName.extend({
      /** Table names, separated by commas. */
      tables: z
        .string({ error: 'Select at least one table' })
        .max(20_000, 'At most 200 tables')
        .transform((text) => text.split(',').filter(Boolean))
        .pipe(tableNames),
    }),
    result: purgePlan,
  }),
  purge: route({
    feature: 'databases',
    summary: 'Empty tables and number new rows from 1; no other table is emptied',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/deletetablesdata',
    permission: 'databases.purge',
    fresh: true,
    operation: true,
    query: byDatabaseName.extend(sentPlan),
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
    query: byDatabaseName,
    result: z.array(purge),
  }),
  putBack: route({
    feature: 'databases',
    summary: 'Put the rows of a purge back into the tables that are named',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/putbacktablesdata',
    permission: 'databases.purge',
    operation: true,
    query: byDatabaseName.extend({ operationId: id('operationId is required') }),
    body: tableNames,
    result: z.object({ tables: z.array(z.object({ name: z.string(), rows: count })) }),
  }),
};
