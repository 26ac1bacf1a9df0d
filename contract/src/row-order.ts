import { compareNames } from './name-collation.ts';
import type { SortedBy } from './sorting.ts';

/** Orders two values of which neither is missing. */
type Compare = (one: string | number, other: string | number) => number;

/** What rows are ordered by: a value of each, null where it has none, and how two values are compared. */
interface SortKey<Row> {
  keyOf: (row: Row) => string | number | null;
  compare: Compare;
}

/** The order of a list by each of its sort keys; rows with equal values are ordered by `ties`, always ascending. */
export interface RowOrder<Row, Column extends string> {
  columns: Record<Column, SortKey<Row>>;
  ties: readonly SortKey<Row>[];
}

const compareValues: Compare = (one, other) => Number(one > other) - Number(one < other);

/** Ordered as names are: whatever the case. */
export const asName = <Row>(keyOf: SortKey<Row>['keyOf']): SortKey<Row> => ({
  keyOf,
  compare: (one, other) => compareNames(String(one), String(other)),
});

/** Ordered as numbers, or character by character, which is right for ids, for days and for moments in UTC. */
export const asValue = <Row>(keyOf: SortKey<Row>['keyOf']): SortKey<Row> => ({ keyOf, compare: compareValues });

/** The rows in the order in which the server gives them. Rows without a value come last in both directions. */
export function orderRows<Row, Column extends string>(
  rows: readonly Row[],
  { columns, ties }: RowOrder<Row, Column>,
  { sortColumn, sortDirection }: SortedBy<Column>,
): Row[] {
  const sign = sortDirection === 'desc' ? -1 : 1;
  const { keyOf, compare } = columns[sortColumn];
  return rows.toSorted((one, other) => {
    const [key, otherKey] = [keyOf(one), keyOf(other)];
    if (key === null || otherKey === null) {
      return Number(key === null) - Number(otherKey === null) || compareTies(ties, one, other);
    }
    return sign * compare(key, otherKey) || compareTies(ties, one, other);
  });
}

function compareTies<Row>(ties: readonly SortKey<Row>[], one: Row, other: Row): number {
  for (const { keyOf, compare } of ties) {
    const difference = compare(keyOf(one) ?? '', keyOf(other) ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}
