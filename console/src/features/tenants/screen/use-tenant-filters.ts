import { useListTenantStatusesQuery } from '../../../api/tenants.ts';
import { useAddressParams } from '../../../components/data-table/use-address-params.ts';
import type { TenantFilters } from './tenant-search.ts';

const readActive = (value: string | null): TenantFilters['active'] =>
  value === 'active' || value === 'inactive' ? value : '';

/**
 * The filters of the tenants list in the address (`?status=…&active=…`), and how to change them and the text. An
 * unknown status counts as none: it would hide every tenant, and the chip could not show it.
 */
export function useTenantFilters() {
  const [params, changeFilters] = useAddressParams<'q' | keyof TenantFilters>();
  const { data: statuses, isError } = useListTenantStatusesQuery();
  const requested = params.get('status') ?? '';
  const isUnknown = statuses ? !statuses.some(({ id }) => id === requested) : isError;
  const filters: TenantFilters = {
    status: isUnknown ? '' : requested,
    active: readActive(params.get('active')),
    expires: params.get('expires') === '30' ? '30' : '',
  };
  return { filters, changeFilters };
}
