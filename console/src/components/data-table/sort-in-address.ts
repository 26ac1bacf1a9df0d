import type { Sort } from './data-table-types.ts';

/** The sort in an address (`?sort=userName&dir=asc`). An unknown column counts as the first one, the list's default. */
export function sortInAddress<const Column extends string>(
  params: URLSearchParams,
  columns: readonly [Column, ...Column[]],
): Sort & { column: Column } {
  const column = columns.find((one) => one === params.get('sort')) ?? columns[0];
  return { column, direction: params.get('dir') === 'desc' ? 'desc' : 'asc' };
}
