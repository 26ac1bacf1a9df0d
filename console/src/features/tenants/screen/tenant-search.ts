import { lastDay } from '@apotheca/contract/tenant-access';
import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import type { FilterBy } from '../../../components/data-table/data-table-types.ts';
import { addDays, expiryText } from '../../../lib/expiry.ts';
import { shortZone } from '../../../lib/short-zone.ts';

/** What the text filter searches in addition to the columns. @param today YYYY-MM-DD: 10,000 rows need not ask for it each */
export const tenantTexts =
  (t: TFunction, today: string) =>
  (tenant: Tenant): string[] => [
    tenant.name,
    tenant.email,
    tenant.phone.replace(/\D/g, ''),
    shortZone(tenant.timezone.displayName),
    expiryText(t, tenant.subscriptionEndDate, lastDay(tenant), today),
  ];

/** Days ahead that the filter by the end of the subscription looks. */
const SOON = 30;

/** Tells whether a subscription ends between today and 30 days from now. */
function endsSoon(today: string) {
  const last = addDays(today, SOON);
  return (tenant: Tenant): boolean => {
    const end = lastDay(tenant);
    return end >= today && end <= last;
  };
}

/** What the list is filtered by in addition to its columns. @param today YYYY-MM-DD */
export const tenantFilters = (t: TFunction, today: string): FilterBy<Tenant>[] => {
  const isSoon = endsSoon(today);
  return [
    {
      id: 'expires',
      header: t('tenants.filter.expires'),
      filterBy: (tenant) => (isSoon(tenant) ? '30' : 'other'),
      filterValues: { '30': t('tenants.filter.in30Days'), other: t('tenants.filter.earlierOrLater') },
    },
  ];
};
