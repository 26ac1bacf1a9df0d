import { z } from 'zod';
import { byDatabaseName } from './database-name.ts';
import { count } from './fields.ts';
import { planOfDatabase, sentPlan } from './plan.ts';
import { route } from './route.ts';

/** What anonymizing did. */
export const anonymizationReport = z.object({
  databaseName: z.string(),
  /** Every column with a rule, with how many of its rows were changed. */
  columns: z.array(z.object({ table: z.string(), column: z.string(), kind: z.string(), rows: count })),
  /** Rows in which at least one column was changed. */
  rows: count,
  /** The scan afterwards: how many old values it searched for, in how many columns, and how many it found. */
  scan: z.object({ values: count, columns: count, found: count }),
});
export type AnonymizationReport = z.infer<typeof anonymizationReport>;

/** What anonymizing would do. */
export const anonymizationPlan = z.object({
  ...planOfDatabase,
  columns: z.array(z.object({ table: z.string(), column: z.string(), kind: z.string() })),
});
export type AnonymizationPlan = z.infer<typeof anonymizationPlan>;

export const anonymizationRoutes = {
  planAnonymization: route({
    feature: 'databases',
    summary: 'What anonymizing would change; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/previewanonymize',
    permission: 'databases.read',
    query: byDatabaseName,
    result: anonymizationPlan,
  }),
  anonymize: route({
    feature: 'databases',
    summary: 'Replace what identifies people by consistent made-up values',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/anonymizedatabase',
    permission: 'databases.purge',
    fresh: true,
    operation: true,
    query: byDatabaseName.extend(sentPlan),
    result: anonymizationReport,
  }),
};
