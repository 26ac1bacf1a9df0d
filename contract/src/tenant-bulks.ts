import { z } from 'zod';
import { bulkRoutes } from './bulks.ts';
import { calendarDay } from './text.ts';

const EXPIRY_INVALID = 'Expiry Date must be a date';

/** What is said of a day on which an extended subscription would be over already. */
export const EXPIRY_PAST = 'Expiry Date must not be before today';

/** What is done with many tenants. */
export const tenantBulkRoutes = bulkRoutes({
  feature: 'tenants',
  noun: 'tenants',
  path: '/tenant',
  permission: 'tenants.write',
  asked: {
    action: z.enum(['activate', 'deactivate', 'extend']),
    /** The new end, for `extend`: today in UTC at the earliest, and for each tenant not before its present end. */
    subscriptionEndDate: calendarDay(EXPIRY_INVALID).optional(),
  },
  needs: { extend: { field: 'subscriptionEndDate', message: EXPIRY_INVALID } },
});

/** Permissions are synced into the databases of many tenants. */
export const tenantSyncRoutes = bulkRoutes({
  feature: 'permissions',
  noun: 'tenants',
  path: '/adminpermission',
  permission: 'permissions.write',
  asked: { action: z.enum(['sync']) },
});
