import { z } from 'zod';
import { id } from './text.ts';

/** How many there are of something. */
export const count = z.number().int().nonnegative();

/** Names one record. */
export const byId = z.object({ id: id() });

/** The refusal of a text that is too long for its field. */
export const tooLong = (label: string, max: number) => `${label} should not be more than ${max} characters`;
