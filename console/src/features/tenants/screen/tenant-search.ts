import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import { addDays, isSubscriptionExpired, localDay } from '../../../lib/expiry.ts';

/** The filters in addition to the text. */
export interface TenantFilters {
  /** Id of a tenant status; empty for any. */
  status: string;
  active: '' | 'active' | 'inactive';
  /** Whose subscription ends within 30 days. */
  expires: '' | '30';
}

/** What the text filter searches in addition to the columns. */
export const tenantTexts =
  (t: TFunction) =>
  ({ name, email, phone, subscriptionEndDate }: Tenant): string[] => [
    name,
    email,
    phone.replace(/\D/g, ''),
    isSubscriptionExpired(subscriptionEndDate) ? t('components.expired') : '',
  ];

const SOON = 30;

/** Whether a subscription ends between today and 30 days from now. */
function endsSoon({ subscriptionEndDate, postponedTo }: Tenant): boolean {
  const end = postponedTo ?? subscriptionEndDate;
  return end >= localDay() && end <= addDays(localDay(), SOON);
}

/** Whether a tenant passes the filters by status, by active and by the end of the subscription. */
export const tenantFilter =
  ({ status, active, expires }: TenantFilters) =>
  (tenant: Tenant): boolean =>
    (status === '' || tenant.tenantStatusId === status) &&
    (active === '' || tenant.isActive === (active === 'active')) &&
    (expires === '' || endsSoon(tenant));
