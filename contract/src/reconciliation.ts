import { z } from 'zod';
import { count } from './fields.ts';
import { route } from './route.ts';
import { utcMoment } from './text.ts';

/** The kinds of difference between registry and cluster (DECISIONS §8), each with its fix. */
export const FINDINGS = {
  'tenant-without-database': 'create-database',
  'database-missing': 'none',
  'database-without-owner': 'register',
  'invalid-database': 'drop',
  'role-without-database': 'drop-role',
  'old-schema-version': 'upgrade',
  'connections-off': 'allow-connections',
  'abandoned-draft': 'drop',
  'orphan-directory': 'remove-directory',
  'backup-without-file': 'forget',
  'file-without-backup': 'remove-file',
} as const;
export type FindingKind = keyof typeof FINDINGS;

const kinds = Object.keys(FINDINGS) as [FindingKind, ...FindingKind[]];

/** One difference. */
export const finding = z.object({
  kind: z.enum(kinds),
  /** What it is about: the name that people see where there is one, else the name in PostgreSQL. */
  subject: z.string(),
  /** Name of the database server that it was found on; absent: there is one only, or it is of none. */
  server: z.string().optional(),
  /** What is wrong and what the fix will do, in a sentence or two. */
  explanation: z.string(),
  fix: z.enum(Object.values(FINDINGS) as [string, ...string[]]),
});
export type Finding = z.infer<typeof finding>;

export const reconciliation = z.object({
  checkedOnUtc: utcMoment,
  databases: count,
  /** Names of the database servers in use that do not answer or refuse: their databases were not compared. */
  serversAway: z.array(z.string()),
  findings: z.array(finding),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const reconciliationRoutes = {
  reconcile: route({
    feature: 'databases',
    summary: 'Compare the registry with the PostgreSQL servers',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/reconcile',
    permission: 'databases.read',
    result: reconciliation,
  }),
  fix: route({
    feature: 'databases',
    summary: 'Apply the fix of one finding, if it still holds',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/fixfinding',
    permission: 'databases.delete',
    fresh: true,
    query: z.object({
      kind: z.enum(kinds, { error: 'This kind of finding is unknown' }),
      subject: z.string({ error: 'subject is required' }).min(1, 'subject is required').max(300),
      /** As the finding has it. Without it, one that several servers have is refused. */
      server: z.string().max(300).optional(),
    }),
    result: finding,
  }),
};
