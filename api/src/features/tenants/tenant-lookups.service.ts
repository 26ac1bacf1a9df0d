import type { Context } from '../../context.ts';
import { listEmrs, listTenantStatuses, listTimezones } from './tenants.repository.ts';

/** The options of the tenant form's selects. */
export const listLookups = ({ platform }: Context) => ({
  statuses: () => listTenantStatuses(platform),
  timezones: () => listTimezones(platform),
  emrs: () => listEmrs(platform),
});
