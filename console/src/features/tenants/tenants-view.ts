import type { SortDirection } from '@apotheca/contract/sorting';
import { TENANT_SORT_COLUMNS, type TenantSortColumn } from '@apotheca/contract/tenants';

/** How the list is sorted and filtered. It lives in the address, so that a link or a reload shows the same list. */
export interface TenantsView {
  sort: { column: TenantSortColumn; direction: SortDirection };
  /** Text filter; empty for none. */
  text: string;
  /** Id of a tenant status; empty for any. */
  status: string;
  active: '' | 'active' | 'inactive';
}

const readColumn = (value: string | null): TenantSortColumn =>
  TENANT_SORT_COLUMNS.find((column) => column === value) ?? TENANT_SORT_COLUMNS[0];

const readActive = (value: string | null): TenantsView['active'] =>
  value === 'active' || value === 'inactive' ? value : '';

/** Reads the view from the address; what is missing or unknown there is the default. */
export const readTenantsView = (params: URLSearchParams): TenantsView => ({
  sort: { column: readColumn(params.get('sort')), direction: params.get('dir') === 'desc' ? 'desc' : 'asc' },
  text: params.get('q') ?? '',
  status: params.get('status') ?? '',
  active: readActive(params.get('active')),
});

/** True when the view hides tenants. */
export const isFiltered = (view: TenantsView): boolean => view.text !== '' || view.status !== '' || view.active !== '';
