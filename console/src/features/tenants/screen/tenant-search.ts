import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import { isSubscriptionExpired } from '../../../lib/expiry.ts';

/** The filters in addition to the text. */
export interface TenantFilters {
  /** Id of a tenant status; empty for any. */
  status: string;
  active: '' | 'active' | 'inactive';
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

/** Whether a tenant passes the filters by status and by active. */
export const tenantFilter =
  ({ status, active }: TenantFilters) =>
  ({ tenantStatusId, isActive }: Tenant): boolean =>
    (status === '' || tenantStatusId === status) && (active === '' || isActive === (active === 'active'));
