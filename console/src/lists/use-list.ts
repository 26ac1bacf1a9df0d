import { useMemo } from 'react';
import { errorText } from '../api/http/answer-errors.ts';
import { useErrorToast } from '../api/http/use-error-toast.ts';
import type { Column, Sort } from '../components/data-table/data-table.tsx';
import type { ListView } from '../components/data-table/use-list-view.ts';
import { useShownSort } from '../components/data-table/use-shown-sort.ts';
import { textSearch } from '../lib/text-search.ts';
import { type ListedRow, useWrittenRow } from './use-written-row.ts';

/** The result of a list's query hook. */
interface ListQuery<Row> {
  data?: Row[];
  currentData?: Row[];
  error?: { message?: string };
  isLoading: boolean;
  isFetching: boolean;
  startedTimeStamp?: number;
  refetch: () => unknown;
}

/** How a list is filtered. */
interface Filters<Row> {
  /** The columns that the text filter searches, visible or not; each stays the same object between draws. */
  columns: readonly Column<Row>[];
  /** More searched texts of a row, in addition to its columns. */
  moreTexts?: (row: Row) => readonly string[];
  /** Whether the other filters let a row pass. */
  passesFilters?: (row: Row) => boolean;
}

const idOf = ({ id }: ListedRow) => id;

/**
 * Turns a list's query into the props of `DataTable`: the server sorts, and the text filter searches the loaded rows.
 */
export function useList<Row extends ListedRow, SortKey extends string>(
  query: ListQuery<Row>,
  view: ListView<SortKey>,
  { columns, moreTexts, passesFilters }: Filters<Row>,
) {
  const { data, currentData, error, isLoading, isFetching, refetch } = query;
  const { sort, text, changeView } = view;
  useErrorToast(error);
  const shownSort = useShownSort(sort, currentData !== undefined);
  const search = useMemo(
    () => textSearch<Row>((row) => [...columns.map((column) => column.text?.(row) ?? ''), ...(moreTexts?.(row) ?? [])]),
    [columns, moreTexts],
  );
  const rows = useMemo(() => {
    const isFound = search(text);
    return data?.filter((row) => (passesFilters?.(row) ?? true) && isFound(row));
  }, [data, search, text, passesFilters]);

  const { startedTimeStamp } = query;
  const written = useWrittenRow({ data, rows, isFetching, startedTimeStamp });

  function handleSortChange({ column, direction }: Sort) {
    // This sort was requested before and failed: the address would stay the same, and nothing would be loaded.
    if (column === sort.column && direction === sort.direction) void refetch();
    else changeView({ sort: column, dir: direction });
  }
  return {
    view,
    columns,
    rowKey: idOf,
    rows,
    total: data?.length,
    // After a failed sort the rows are still in the order before it.
    sort: error && data ? shownSort : sort,
    onSortChange: handleSortChange,
    isLoading,
    isFetching,
    error: error && errorText(error),
    onRetry: refetch,
    markedKey: written.marked,
    hidden: written.hidden && { row: written.hidden, dismiss: written.dismiss },
  };
}
