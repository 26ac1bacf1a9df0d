import {
  DEFAULT_SUBSCRIPTION_DAYS,
  DEFAULT_SUBSCRIPTION_LEVEL,
  DEFAULT_TENANT_STATUS,
  type TenantFormInput,
  tenantForm,
} from '@apotheca/contract/tenant-form';
import { addDays } from '../../../lib/expiry.ts';
import { browserZone, utcDay } from '../../../lib/moment.ts';

/** The choices of the tenant form's selects. */
export interface TenantLookups {
  statuses: { id: string; name: string }[];
  timezones: { id: string; displayName: string }[];
  emrs: { id: string; name: string }[];
}

/** Every field without a value. */
const EMPTY = Object.fromEntries(tenantForm.keyof().options.map((name) => [name, ''])) as Record<
  keyof TenantFormInput,
  ''
>;

/** Values of the form for a new tenant (SPEC §3, §4, §9). */
export const newTenantValues = ({ statuses, timezones }: TenantLookups): TenantFormInput => {
  const today = utcDay();
  const zone = browserZone();
  return {
    ...EMPTY,
    databaseServerId: '',
    timezoneId: timezones.some(({ id }) => id === zone) ? zone : '',
    tenantStatusId: statuses.find(({ name }) => name === DEFAULT_TENANT_STATUS)?.id ?? '',
    subscriptionLevel: DEFAULT_SUBSCRIPTION_LEVEL,
    subscriptionStartDate: today,
    subscriptionEndDate: addDays(today, DEFAULT_SUBSCRIPTION_DAYS),
    licenseCount: 0,
    isActive: true,
  };
};
