import { z } from 'zod';
import { count } from './fields.ts';

/**
 * The digest of a plan that was looked at (DECISIONS §8): with it, a call touches nothing once things have changed; without it, it
 * does what there is to do now.
 */
export const sentPlan = { plan: z.string().max(100).optional() };

/** What every plan says of the database that it is about. `digest` names this state of things. */
export const planOfDatabase = {
  databaseName: z.string(),
  rows: count,
  /** Sessions that are open right now. */
  connections: count,
  newestBackupOnUtc: z.string().nullable(),
  digest: z.string(),
};

/** What a deletion would destroy. */
export const deletionPlan = z.object({ ...planOfDatabase, sizeBytes: count });
export type DeletionPlan = z.infer<typeof deletionPlan>;
