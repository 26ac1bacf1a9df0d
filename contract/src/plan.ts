import { z } from 'zod';
import { count } from './fields.ts';
import { utcMoment } from './text.ts';

/**
 * The digest of the plan that the caller has seen (DECISIONS §8). With it, the call changes nothing if things have changed since;
 * without it, the call does what there is to do now.
 */
export const sentPlan = { plan: z.string().max(100).optional() };

/** What every plan says of its database. `digest` stands for the whole plan: it differs as soon as anything in it does. */
export const planOfDatabase = {
  databaseName: z.string(),
  rows: count,
  /** Connections that are open right now. */
  connections: count,
  newestBackupOnUtc: utcMoment.nullable(),
  digest: z.string(),
};

/** What a deletion would destroy. */
export const deletionPlan = z.object({ ...planOfDatabase, sizeBytes: count });
export type DeletionPlan = z.infer<typeof deletionPlan>;
