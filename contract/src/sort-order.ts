import { z } from 'zod';

/** The largest sort order: what PostgreSQL's integer holds. */
const MAX = 2_147_483_647;

/**
 * A place in a hand-ordered list: a whole number from 0.
 * @param required message where there is none; an emptied number field of a form is NaN
 * @param tooSmall message for a negative one
 */
export const sortOrder = (required: string, tooSmall: string) =>
  z
    .int({ error: ({ input }) => (isMissing(input) ? required : 'Sort Order must be a whole number') })
    .min(0, tooSmall)
    .max(MAX, 'Sort Order is too large');

const isMissing = (input: unknown): boolean => input === undefined || input === null || Number.isNaN(input);
