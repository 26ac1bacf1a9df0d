import { emrsList, tenantStatusesList, timezonesList } from './tenant-lookups.repository.ts';

/** The options of the tenant form's selects. */
export const lookups = { listStatuses: tenantStatusesList, listTimezones: timezonesList, listEmrs: emrsList };
