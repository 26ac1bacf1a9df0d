import { useMemo } from 'react';
import { useListTenantStatusesQuery } from '../../api/tenants.ts';
import { useAddressParams } from '../../components/use-address-params.ts';
import { readTenantsView } from './tenants-view.ts';

/**
 * The view of the tenants list in the address (`?sort=code&dir=asc&q=…&status=…&active=…`) and how to change it. A status
 * that there is not (any more) is none: it would hide every tenant, and the chip could not show it.
 */
export const useTenantsView = () => {
  const [params, changeView] = useAddressParams<'sort' | 'dir' | 'q' | 'status' | 'active'>();
  const { data: statuses, isError } = useListTenantStatusesQuery();
  const isUnknown = (id: string) => (statuses ? !statuses.some((status) => status.id === id) : isError);
  const asked = useMemo(() => readTenantsView(params), [params]);
  const status = isUnknown(asked.status) ? '' : asked.status;
  const view = useMemo(() => ({ ...asked, status }), [asked, status]);
  return { view, changeView };
};
