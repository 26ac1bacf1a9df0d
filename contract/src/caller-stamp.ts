import { z } from 'zod';

/**
 * createdBy, updatedBy and deletedBy of the spec's calls. They are accepted for the contract's sake: the server records
 * the token's user, and refuses a call that names another one (DECISIONS §3).
 */
const stamp = z.string().nullish();

export const createdBy = { createdBy: stamp };
export const updatedBy = { updatedBy: stamp };
export const deletedBy = { deletedBy: stamp };
