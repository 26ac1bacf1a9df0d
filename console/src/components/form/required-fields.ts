import type { ZodType } from 'zod';

/** The fields with an asterisk: those that the contract's schema requires. */
export const requiredFields = ({ shape }: { shape: Readonly<Record<string, ZodType>> }): ReadonlySet<string> =>
  new Set(
    Object.entries(shape)
      .filter(([, schema]) => !schema.safeParse('').success)
      .map(([name]) => name),
  );
