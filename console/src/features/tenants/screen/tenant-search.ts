import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import { isSubscriptionExpired } from '../../../lib/expiry.ts';

/** Filters of the list beside the text. */
export interface TenantFilters {
  /** Id of a tenant status; empty for any. */
  status: string;
  active: '' | 'active' | 'inactive';
}

/** What the text filter finds a tenant by beside its columns. */
export const tenantTexts =
  (t: TFunction) =>
  ({ name, email, phone, subscriptionEndDate }: Tenant): string[] => [
    name,
    email,
    phone.replace(/\D/g, ''),
    isSubscriptionExpired(subscriptionEndDate) ? t('components.expired') : '',
  ];

/** Finds the tenants that the filters beside the text let through. */
export const tenantFilter =
  ({ status, active }: TenantFilters) =>
  ({ tenantStatusId, isActive }: Tenant): boolean =>
    (status === '' || tenantStatusId === status) && (active === '' || isActive === (active === 'active'));
