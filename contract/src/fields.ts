import { z } from 'zod';
import { id } from './text.ts';

/** The answer of a call that changed one record. */
export const changedRecord = z.object({ id: z.string() });

/** A record's switch between active and inactive. */
export const isActive = z.boolean({ error: 'Active must be true or false' });

/** Checks a rule over several fields even when other fields are wrong, so that a form shows all messages at once. */
export const whenValid = (shape: z.ZodRawShape) => {
  const schema = z.object(shape);
  return { when: ({ value }: z.core.ParsePayload) => schema.safeParse(value).success };
};

/** A number of things. */
export const count = z.number().int().nonnegative();

/** The values that this version knows of texts in answers that take others too: such lists grow with the product. */
export const GROWING = z.registry<{ values: readonly string[] }>();

/** The query of a call about one record. */
export const byId = z.object({ id: id() });

/** The message for a text that is too long for its field. */
export const tooLong = (label: string, max: number) => `${label} should not be more than ${max} characters`;
