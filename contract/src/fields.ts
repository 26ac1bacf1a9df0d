import { z } from 'zod';
import { id } from './text.ts';

/** The answer of a call that changed one record. */
export const changedRecord = z.object({ id: z.string() });

/**
 * Values by keys, of at most `max`. They are counted before any is looked at, which zod does for lists only: a message for each of a
 * hundred thousand takes longer than anything else of a call.
 */
export function limitedRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
  tooMany: string,
) {
  const record = z.record(key, value);
  return z.preprocess((sent: z.input<typeof record>, { addIssue }) => {
    if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > max) addIssue(tooMany);
    return sent;
  }, record);
}

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
