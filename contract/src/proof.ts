import { z } from 'zod';

/** `result` of a 403 'Proof needed': after how many seconds a proof is too old. */
export const proofNeeded = z.object({ proofMaxAge: z.number().int() });

/** The message at a password that is not one's own. */
export const WRONG_PASSWORD = 'This is not your password.';
