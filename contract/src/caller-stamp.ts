import { z } from 'zod';
import { utcMoment } from './text.ts';
import { version } from './version.ts';

/**
 * createdBy, updatedBy and deletedBy of the spec's calls. Callers may leave them out: the server records the signed-in
 * user, and refuses a call that names another one (DECISIONS §3).
 */
const stamp = z.string().max(100).nullish();

export const createdBy = { createdBy: stamp };
export const updatedBy = { updatedBy: stamp };
export const deletedBy = { deletedBy: stamp };

/** What an answer says of the making of a record; the users are named by their ids. */
export const recordStamps = {
  version,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
  createdOnUtc: utcMoment,
};
