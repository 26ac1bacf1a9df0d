import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { filterTenants } from './filter-tenants.ts';
import type { TenantsView } from './tenants-view.ts';

/** The tenants that the view shows, in the words of `DataTable`: the server sorts, the filters work on what is loaded. */
export function useTenantsList(view: TenantsView) {
  const { t } = useTranslation();
  const { column, direction } = view.sort;
  const { data, error, isLoading, isFetching, refetch } = useListTenantsQuery({
    sortColumn: column,
    sortDirection: direction,
  });
  const rows = useMemo(() => data && filterTenants(data, view), [data, view]);
  return {
    rows,
    total: data?.length,
    isLoading,
    isFetching,
    error: error && (error.message ?? t('session.errors.unknown')),
    onRetry: refetch,
  };
}
