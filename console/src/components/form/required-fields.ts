import type { ZodType } from 'zod';

/** The fields that refuse to be empty get the asterisk: the contract decides, not a list beside it. */
export const requiredFields = ({ shape }: { shape: Readonly<Record<string, ZodType>> }): ReadonlySet<string> =>
  new Set(
    Object.entries(shape)
      .filter(([, schema]) => !schema.safeParse('').success)
      .map(([name]) => name),
  );
