import type { Tenant } from '@apotheca/contract/tenants';
import type { TenantsView } from './tenants-view.ts';

/** Lower case without accents, so that 'tomas' finds 'Tomás'. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

// Rows keep their identity between key strokes, so each one's text is put together once.
const texts = new WeakMap<Tenant, string>();

const searchText = (tenant: Tenant): string => {
  const known = texts.get(tenant);
  if (known !== undefined) return known;
  const { customerCode, name, code, firstName, lastName, city, email, phone, emr, timezone, tenantStatus } = tenant;
  const who = [customerCode, name, code, firstName, lastName, city, email, phone, phone.replace(/\D/g, '')];
  const text = plain([...who, emr.name, timezone.displayName, tenantStatus.name].join('\n'));
  texts.set(tenant, text);
  return text;
};

/** The tenants that the view shows: every typed word is found in what the list shows of them as text, or in the e-mail. */
export const filterTenants = (tenants: Tenant[], { text, status, active }: TenantsView): Tenant[] => {
  const words = plain(text).split(/\s+/).filter(Boolean);
  return tenants.filter(
    (tenant) =>
      (status === '' || tenant.tenantStatusId === status) &&
      (active === '' || tenant.isActive === (active === 'active')) &&
      words.every((word) => searchText(tenant).includes(word)),
  );
};
