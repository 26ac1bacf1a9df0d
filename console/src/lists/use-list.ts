import type { RowOrder } from '@apotheca/contract/row-order';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { errorText } from '../api/http/answer-errors.ts';
import { useErrorToast } from '../api/http/use-error-toast.ts';
import type { Column, Sort } from '../components/data-table/data-table.tsx';
import type { FilterBy } from '../components/data-table/data-table-types.ts';
import { choicesOf, useColumnFilters } from '../components/data-table/use-column-filters.ts';
import type { ListView } from '../components/data-table/use-list-view.ts';
import { whenIdle } from '../lib/in-turns.ts';
import { textSearch } from '../lib/text-search.ts';
import { unlessForbidden } from '../transport/api-error.ts';
import { type LoadedRows, useOrderedRows } from './use-ordered-rows.ts';
import { type ListedRow, useWrittenRow } from './use-written-row.ts';

/** The result of a list's query hook. */
export interface ListQuery<Row> extends LoadedRows<Row> {
  error?: { message?: string; status?: unknown };
  isLoading: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** How a list is ordered and filtered. */
interface Narrowing<Row, SortKey extends string> {
  order?: RowOrder<Row, SortKey>;
  /** The columns that the text filter searches, visible or not; each stays the same object between draws. */
  columns: readonly Column<Row>[];
  /** More searched texts of a row, in addition to its columns. */
  moreTexts?: (row: Row) => readonly string[];
  /** Filters in addition to those of the columns; each stays the same object between draws. */
  moreFilters?: readonly FilterBy<Row>[];
}

const idOf = ({ id }: ListedRow) => id;

/**
 * Turns a list's query into the props of `DataTable`: the loaded rows in their order, narrowed by the text and the other filters.
 */
export function useList<Row extends ListedRow, SortKey extends string>(
  query: ListQuery<Row>,
  view: ListView<SortKey>,
  { order, columns, moreTexts, moreFilters }: Narrowing<Row, SortKey>,
) {
  const { error, isLoading, isFetching, refetch } = query;
  const { text } = view;
  useErrorToast(error);
  const ordered = useOrderedRows(query, view.sort, order);
  const data = unlessForbidden(ordered.rows, error);
  const search = useMemo(
    () => textSearch<Row>((row) => [...columns.map((column) => column.text?.(row) ?? ''), ...(moreTexts?.(row) ?? [])]),
    [columns, moreTexts],
  );
  // The first key of a filter would build the texts of all rows: of 10,000 that takes longer than a key may.
  useEffect(() => data && whenIdle(data, search.prepare), [data, search]);
  const filtering = useMemo(() => [...columns, ...(moreFilters ?? [])], [columns, moreFilters]);
  // The field shows a key at once, and the rows come after that frame.
  const searched = useDeferredValue(text);
  const { known, chosen, passesBut, ...filters } = useColumnFilters(filtering, data);
  const rows = useMemo(() => {
    const isFound = search(searched);
    return data?.filter((row) => passesBut(undefined, row) && isFound(row));
  }, [data, search, searched, passesBut]);
  const columnFilters = known.map((column, index) => ({
    id: column.id,
    header: column.column.header,
    chosen: chosen[index]?.values ?? [],
    labelOf: (value: string) => column.labels.get(value) ?? value,
    choices: () => {
      const isFound = search(searched);
      return choicesOf(column, data ?? [], (row) => passesBut(column.id, row) && isFound(row));
    },
  }));

  const { fulfilledTimeStamp } = query;
  const written = useWrittenRow({ data, rows, isFetching, fulfilledTimeStamp });

  function handleSortChange(next: Sort) {
    // This sort was requested before and failed: the address would stay the same, and nothing would be loaded.
    if (next.column === view.sort.column && next.direction === view.sort.direction) void refetch();
    else view.changeSort(next);
  }
  return {
    view,
    columns,
    filters: { ...filters, columns: columnFilters },
    rowKey: idOf,
    rows,
    narrowing: JSON.stringify([ordered.sort, searched, chosen]),
    total: data?.length,
    sort: ordered.sort,
    onSortChange: handleSortChange,
    isLoading,
    isFetching,
    error: error && errorText(error),
    onRetry: refetch,
    markedKey: written.marked,
    hidden: written.hidden && { row: written.hidden, dismiss: written.dismiss },
  };
}
