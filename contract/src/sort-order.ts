import { z } from 'zod';
import { id } from './text.ts';

/** The largest sort order: what PostgreSQL's integer holds. */
const MAX = 2_147_483_647;

/**
 * A place in a hand-ordered list: a whole number from 0.
 * @param required message for a missing one; an emptied number field of a form gives NaN
 * @param tooSmall message for a negative one
 */
export const sortOrder = (required: string, tooSmall: string) =>
  z
    .int({ error: ({ input }) => (isMissing(input) ? required : 'Sort Order must be a whole number') })
    .min(0, tooSmall)
    .max(MAX, 'Sort Order is too large');

/** The query of a call that moves a record of a hand-ordered list by one place. */
export const moveByOne = z.object({ id: id(), moveUp: z.stringbool({ error: 'moveUp must be true or false' }) });

const isMissing = (input: unknown): boolean => input === undefined || input === null || Number.isNaN(input);
