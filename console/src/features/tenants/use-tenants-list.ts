import { useMemo } from 'react';
import { errorText } from '../../api/answer-errors.ts';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { useErrorToast } from '../../api/use-error-toast.ts';
import { useShownSort } from '../../components/use-shown-sort.ts';
import { filterTenants } from './filter-tenants.ts';
import type { TenantsView } from './tenants-view.ts';

/** The tenants that the view shows, in the words of `DataTable`: the server sorts, the filters work on what is loaded. */
export function useTenantsList(view: TenantsView) {
  const { column, direction } = view.sort;
  const { data, currentData, error, isLoading, isFetching, refetch } = useListTenantsQuery({
    sortColumn: column,
    sortDirection: direction,
  });
  useErrorToast(error);
  const rows = useMemo(() => data && filterTenants(data, view), [data, view]);
  const shownSort = useShownSort(view.sort, currentData !== undefined);
  return {
    rows,
    total: data?.length,
    // Rows that could not be sorted anew are still in the order they were.
    sort: error && data ? shownSort : view.sort,
    isLoading,
    isFetching,
    error: error && errorText(error),
    onRetry: refetch,
  };
}
