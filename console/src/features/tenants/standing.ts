import { type SuspensionRules, standingOf } from '@apotheca/contract/tenant-access';
import type { Tenant } from '@apotheca/contract/tenants';
import { utcDay } from '../../lib/moment.ts';
import { getRuntimeConfig } from '../../transport/runtime-config.ts';

const NOTHING_CLOSES: SuspensionRules = { mode: 'flag', graceDays: 0, readOnlyDays: 0 };

/** What closes the databases of tenants on this server. */
export const suspensionRules = (): SuspensionRules => getRuntimeConfig().suspension ?? NOTHING_CLOSES;

/** How a tenant stands today; days are counted in UTC, as the server does. */
export const standingToday = (
  tenant: Pick<Tenant, 'isActive' | 'subscriptionStartDate' | 'subscriptionEndDate' | 'postponedTo'>,
) => standingOf(tenant, utcDay(), suspensionRules());
