import { useMemo } from 'react';
import type { Sort } from '../components/data-table.tsx';
import type { ListView } from '../components/use-list-view.ts';
import { useShownSort } from '../components/use-shown-sort.ts';
import { errorText } from './answer-errors.ts';
import { useErrorToast } from './use-error-toast.ts';

/** What the hook of a list call gives. */
interface ListQuery<Row> {
  data?: Row[];
  currentData?: Row[];
  error?: { message?: string };
  isLoading: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * A list call in the words of `DataTable`: the server sorts, the text filter works on what is loaded.
 * @param search makes the test of a row from the typed text (lib/text-search)
 */
export function useList<Row, Column extends string>(
  query: ListQuery<Row>,
  view: ListView<Column>,
  search: (typed: string) => (row: Row) => boolean,
) {
  const { data, currentData, error, isLoading, isFetching, refetch } = query;
  const { sort, text, changeView } = view;
  useErrorToast(error);
  const shownSort = useShownSort(sort, currentData !== undefined);
  const rows = useMemo(() => data?.filter(search(text)), [data, search, text]);

  function handleSortChange({ column, direction }: Sort) {
    // Asked for already, in vain: the address would not change, and nothing would be loaded.
    if (column === sort.column && direction === sort.direction) void refetch();
    else changeView({ sort: column, dir: direction });
  }
  return {
    rows,
    total: data?.length,
    // Rows that could not be sorted anew are still in the order they were.
    sort: error && data ? shownSort : sort,
    onSortChange: handleSortChange,
    isLoading,
    isFetching,
    error: error && errorText(error),
    onRetry: refetch,
  };
}
