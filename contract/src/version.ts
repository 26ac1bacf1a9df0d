import { z } from 'zod';

/**
 * The version of the record that an edit began with. With it, an edit of a record that somebody else has changed meanwhile is a 409;
 * without it, the edit overwrites what there is.
 */
export const sentVersion = {
  version: z.int({ error: 'version must be a whole number' }).min(1, 'version must be at least 1').optional(),
};

/** The version of a record as lists give it: one more with each change. */
export const version = z.number().int().positive();

/** One field that others changed since the version that was sent. */
export const meanwhileChange = z.object({
  field: z.string(),
  /** As the record had it when the edit began; absent where the trail keeps no values, as for passwords. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** User name of who changed it last. */
  by: z.string(),
  onUtc: z.string(),
});
export type MeanwhileChange = z.infer<typeof meanwhileChange>;

/** `result` of a 409 'Changed meanwhile': the version to send to save all the same, and what changed, each field once. */
export const staleRecord = z.object({ version, changes: z.array(meanwhileChange) });
export type StaleRecord = z.infer<typeof staleRecord>;
