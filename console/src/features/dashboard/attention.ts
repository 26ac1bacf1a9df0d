import type { Tenant } from '@apotheca/contract/tenants';
import { daysBetween } from '../../lib/expiry.ts';

/** A subscription that ends within this number of days needs attention. */
const DAYS_AHEAD = 30;

/** A tenant whose subscription has ended or ends soon; `daysLeft` is negative when it has ended. */
export interface EndingTenant {
  tenant: Tenant;
  daysLeft: number;
}

/**
 * The tenants that need attention, in the given order: ended before today (SPEC §9), or ending within 30 days.
 * @param today YYYY-MM-DD
 */
export function endingTenants(tenants: readonly Tenant[], today: string): EndingTenant[] {
  return tenants
    .filter((tenant) => tenant.subscriptionEndDate !== '')
    .map((tenant) => ({ tenant, daysLeft: daysBetween(today, tenant.subscriptionEndDate) }))
    .filter(({ daysLeft }) => daysLeft <= DAYS_AHEAD);
}
