import { z } from 'zod';
import { utcMoment } from './text.ts';

/**
 * The version that the record had when the edit began. With it, the edit is a 409 if somebody else has changed the record since;
 * without it, the edit overwrites the record.
 */
export const sentVersion = {
  version: z.int({ error: 'version must be a whole number' }).min(1, 'version must be at least 1').optional(),
};

/** The version of a record in lists: each change adds one. */
export const version = z.number().int().positive();

/** One field that others changed since the version that was sent. */
export const meanwhileChange = z.object({
  field: z.string(),
  /** As it was when the edit began; absent where the audit trail keeps no values, as for passwords. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** Name of the user who changed it last. */
  by: z.string(),
  onUtc: utcMoment,
});
export type MeanwhileChange = z.infer<typeof meanwhileChange>;

/** `result` of a 409 'Changed meanwhile': the version to send in order to save all the same, and each field that changed. */
export const staleRecord = z.object({ version, changes: z.array(meanwhileChange) });
export type StaleRecord = z.infer<typeof staleRecord>;
