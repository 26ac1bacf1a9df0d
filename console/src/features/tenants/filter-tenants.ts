import type { Tenant } from '@apotheca/contract/tenants';
import { textSearch } from '../../lib/text-search.ts';
import type { TenantsView } from './tenants-view.ts';

const search = textSearch<Tenant>((tenant) => {
  const { customerCode, name, code, firstName, lastName, city, email, phone, emr, timezone, tenantStatus } = tenant;
  const who = [customerCode, name, code, firstName, lastName, city, email, phone, phone.replace(/\D/g, '')];
  return [...who, emr.name, timezone.displayName, tenantStatus.name];
});

/** The tenants that the view shows: every typed word is found in what the list shows of them as text, or in the e-mail. */
export const filterTenants = (tenants: Tenant[], { text, status, active }: TenantsView): Tenant[] => {
  const isFound = search(text);
  return tenants.filter(
    (tenant) =>
      (status === '' || tenant.tenantStatusId === status) &&
      (active === '' || tenant.isActive === (active === 'active')) &&
      isFound(tenant),
  );
};
