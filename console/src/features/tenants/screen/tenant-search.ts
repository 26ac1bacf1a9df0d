import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import type { FilterBy } from '../../../components/data-table/data-table-types.ts';
import { addDays, isSubscriptionExpired } from '../../../lib/expiry.ts';
import { localDay } from '../../../lib/moment.ts';
import { shortZone } from '../../../lib/short-zone.ts';

/** What the text filter searches in addition to the columns. */
export const tenantTexts =
  (t: TFunction) =>
  ({ name, email, phone, timezone, subscriptionEndDate }: Tenant): string[] => [
    name,
    email,
    phone.replace(/\D/g, ''),
    shortZone(timezone.displayName),
    isSubscriptionExpired(subscriptionEndDate) ? t('components.expired') : '',
  ];

/** Days ahead that the filter by the end of the subscription looks. */
const SOON = 30;

/** Whether a subscription ends between today and 30 days from now. */
function endsSoon({ subscriptionEndDate, postponedTo }: Tenant): boolean {
  const end = postponedTo ?? subscriptionEndDate;
  return end >= localDay() && end <= addDays(localDay(), SOON);
}

/** What the list is filtered by in addition to its columns. */
export const tenantFilters = (t: TFunction): FilterBy<Tenant>[] => [
  {
    id: 'expires',
    header: t('tenants.filter.expires'),
    filterBy: (tenant) => (endsSoon(tenant) ? '30' : 'other'),
    filterValues: { '30': t('tenants.filter.in30Days'), other: t('tenants.filter.earlierOrLater') },
  },
];
