import { useMemo } from 'react';
import { errorText } from '../api/http/answer-errors.ts';
import { useErrorToast } from '../api/http/use-error-toast.ts';
import type { Column, Sort } from '../components/data-table/data-table.tsx';
import type { ListView } from '../components/data-table/use-list-view.ts';
import { useShownSort } from '../components/data-table/use-shown-sort.ts';
import { textSearch } from '../lib/text-search.ts';
import { type ListedRow, useWrittenRow } from './use-written-row.ts';

/** What the hook of a list call gives. */
interface ListQuery<Row> {
  data?: Row[];
  currentData?: Row[];
  error?: { message?: string };
  isLoading: boolean;
  isFetching: boolean;
  startedTimeStamp?: number;
  refetch: () => unknown;
}

/** How a list is narrowed. */
interface Filters<Row> {
  /** What the text filter searches, shown or not; each keeps its identity between draws. */
  columns: readonly Column<Row>[];
  /** What else of a row can be found, beside the texts of its columns. */
  moreTexts?: (row: Row) => readonly string[];
  /** Whether the filters beside the text let a row through. */
  isLetThrough?: (row: Row) => boolean;
}

const idOf = ({ id }: ListedRow) => id;

/** A list call in the words of `DataTable`: the server sorts, the text filter finds whatever a row shows of what is loaded. */
export function useList<Row extends ListedRow, SortKey extends string>(
  query: ListQuery<Row>,
  view: ListView<SortKey>,
  { columns, moreTexts, isLetThrough }: Filters<Row>,
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
    return data?.filter((row) => (isLetThrough?.(row) ?? true) && isFound(row));
  }, [data, search, text, isLetThrough]);

  const { startedTimeStamp } = query;
  const written = useWrittenRow({ data, rows, isFetching, startedTimeStamp });

  function handleSortChange({ column, direction }: Sort) {
    // Asked for already, in vain: the address would not change, and nothing would be loaded.
    if (column === sort.column && direction === sort.direction) void refetch();
    else changeView({ sort: column, dir: direction });
  }
  return {
    view,
    columns,
    rowKey: idOf,
    rows,
    total: data?.length,
    // Rows that could not be sorted anew are still in the order they were.
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
