import { z } from 'zod';
import { bulkRoutes } from './bulks.ts';
import { calendarDay } from './text.ts';

const EXPIRY_INVALID = 'Expiry Date must be a date';

/** What is done with many tenants. */
export const tenantBulkRoutes = bulkRoutes({
  feature: 'tenants',
  noun: 'tenants',
  path: '/tenant',
  permission: 'tenants.write',
  asked: {
    action: z.enum(['activate', 'deactivate', 'extend']),
    /** The new end, for `extend`. */
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
