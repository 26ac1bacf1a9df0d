import { z } from 'zod';

export const sortDirection = z.enum(['asc', 'desc'], { error: "sortDirection must be 'asc' or 'desc'" });
export type SortDirection = z.infer<typeof sortDirection>;

/** The parsed query of a list call. */
export interface SortedBy<Column> {
  sortColumn: Column;
  sortDirection: SortDirection;
}

/**
 * The query of a list call.
 * @param columns sort keys of the list; the first is the default
 */
export const listQuery = <const Columns extends readonly [string, ...string[]]>(columns: Columns) =>
  z.object({
    sortColumn: z
      .enum(columns, { error: `sortColumn must be one of: ${columns.join(', ')}` })
      .default(columns[0] as never),
    sortDirection: sortDirection.default('asc'),
  });
