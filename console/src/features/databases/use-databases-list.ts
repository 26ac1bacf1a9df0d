import type { Database } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { errorText } from '../../api/answer-errors.ts';
import { useListDatabasesQuery } from '../../api/databases.ts';
import { useErrorToast } from '../../api/use-error-toast.ts';
import { useShownSort } from '../../components/use-shown-sort.ts';
import { textSearch } from '../../lib/text-search.ts';
import { useDatabasesView } from './use-databases-view.ts';

const search = textSearch<Database>(({ databaseName, tenantCode, customerCode, copiedFrom }) => [
  databaseName,
  tenantCode ?? '',
  customerCode ?? '',
  copiedFrom ?? '',
]);

/** All databases, in the order of the view. The page and its dialogs share one load. */
const useDatabases = () => {
  const { column, direction } = useDatabasesView().view.sort;
  return useListDatabasesQuery({ sortColumn: column, sortDirection: direction });
};

/** The databases that the view shows, in the words of `DataTable`: the server sorts, the filter works on what is loaded. */
export function useDatabasesList() {
  const { text, sort } = useDatabasesView().view;
  const { data, currentData, error, isLoading, isFetching, refetch } = useDatabases();
  useErrorToast(error);
  const shownSort = useShownSort(sort, currentData !== undefined);
  const rows = useMemo(() => data?.filter(search(text)), [data, text]);
  return {
    rows,
    total: data?.length,
    // Rows that could not be sorted anew are still in the order they were.
    sort: error && data ? shownSort : sort,
    isLoading,
    isFetching,
    error: error && errorText(error),
    onRetry: refetch,
  };
}

/**
 * The names that a new name must differ from.
 * @param except the database that gets the new name, whose own name is none of them
 */
export function useTakenNames(except?: Database): string[] {
  const { data } = useDatabases();
  return useMemo(
    () => (data ?? []).filter(({ id }) => id !== except?.id).map(({ databaseName }) => databaseName),
    [data, except],
  );
}
