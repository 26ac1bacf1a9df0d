import type { Context } from '../../context.ts';
import { listEmrs, listTenantStatuses, listTimezones } from './tenants.repository.ts';

/** What the tenant form's selects offer. */
export const listLookups = ({ platform }: Context) => ({
  statuses: () => listTenantStatuses(platform),
  timezones: () => listTimezones(platform),
  emrs: () => listEmrs(platform),
});
