import { orderRows, type RowOrder } from '@apotheca/contract/row-order';
import { useMemo, useState } from 'react';
import type { ListView } from '../components/data-table/use-list-view.ts';

/** What of a list's query says which rows there are. */
export interface LoadedRows<Row> {
  data?: Row[];
  currentData?: Row[];
  error?: unknown;
  fulfilledTimeStamp?: number;
}

/**
 * The newest rows of a list in the order that is asked for. They come in it from the server; until they do, those that
 * are here already are ordered by its rules. Where the server does not give them, they go back to the order before.
 * @param order absent: the list has one order only
 */
export function useOrderedRows<Row, SortKey extends string>(
  { data, currentData, error, fulfilledTimeStamp = 0 }: LoadedRows<Row>,
  sort: ListView<SortKey>['sort'],
  order: RowOrder<Row, SortKey> | undefined,
) {
  const [newest, setNewest] = useState({ rows: data, sort, at: fulfilledTimeStamp });
  // An order that was loaded before may have older rows than those that are shown.
  const isNewer = currentData !== undefined && currentData !== newest.rows && fulfilledTimeStamp >= newest.at;
  // Another user has signed in.
  const isDropped = data === undefined && newest.rows !== undefined;
  const known = isNewer || isDropped ? { rows: currentData, sort, at: fulfilledTimeStamp } : newest;
  if (known !== newest) setNewest(known);
  const shownSort = error === undefined ? sort : known.sort;
  const rows = useMemo(() => {
    if (!order) return data;
    if (!known.rows || isSame(known.sort, shownSort)) return known.rows;
    return orderRows(known.rows, order, { sortColumn: shownSort.column, sortDirection: shownSort.direction });
  }, [data, known, order, shownSort]);
  return { rows, sort: shownSort };
}

const isSame = <SortKey extends string>(one: ListView<SortKey>['sort'], other: ListView<SortKey>['sort']): boolean =>
  one.column === other.column && one.direction === other.direction;
