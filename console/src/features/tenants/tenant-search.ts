import type { Tenant } from '@apotheca/contract/tenants';
import { textSearch } from '../../lib/text-search.ts';

/** Filters of the list beside the text. */
export interface TenantFilters {
  /** Id of a tenant status; empty for any. */
  status: string;
  active: '' | 'active' | 'inactive';
}

const byText = textSearch<Tenant>((tenant) => {
  const { customerCode, name, code, firstName, lastName, city, email, phone, emr, timezone, tenantStatus } = tenant;
  const who = [customerCode, name, code, firstName, lastName, city, email, phone, phone.replace(/\D/g, '')];
  return [...who, emr.name, timezone.displayName, tenantStatus.name];
});

/** Finds the tenants that the filters let through, and of which every typed word is in what the list shows as text, or in the e-mail. */
export const tenantSearch = ({ status, active }: TenantFilters) => {
  const isLetThrough = (tenant: Tenant) =>
    (status === '' || tenant.tenantStatusId === status) && (active === '' || tenant.isActive === (active === 'active'));
  return (typed: string) => {
    const isFound = byText(typed);
    return (tenant: Tenant) => isLetThrough(tenant) && isFound(tenant);
  };
};
