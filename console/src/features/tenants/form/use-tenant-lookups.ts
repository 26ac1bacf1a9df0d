import { useMemo } from 'react';
import { useErrorToast } from '../../../api/http/use-error-toast.ts';
import { useListEmrsQuery, useListTenantStatusesQuery, useListTimezonesQuery } from '../../../api/tenants.ts';
import type { TenantLookups } from './tenant-form-values.ts';

/** The choices of the tenant form's selects; undefined until all of them are loaded. */
export function useTenantLookups(): { lookups?: TenantLookups; isError: boolean; retry: () => void } {
  const statuses = useListTenantStatusesQuery();
  const timezones = useListTimezonesQuery();
  const emrs = useListEmrsQuery();
  useErrorToast(statuses.error ?? timezones.error ?? emrs.error);
  const lookups = useMemo(
    () =>
      statuses.data && timezones.data && emrs.data
        ? { statuses: statuses.data, timezones: timezones.data, emrs: emrs.data }
        : undefined,
    [statuses.data, timezones.data, emrs.data],
  );
  const retry = () => {
    for (const query of [statuses, timezones, emrs]) if (query.isError) void query.refetch();
  };
  return { lookups, isError: statuses.isError || timezones.isError || emrs.isError, retry };
}
