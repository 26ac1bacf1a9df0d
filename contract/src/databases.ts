import { z } from 'zod';
import { DATABASE_NAME_MAX, databaseName } from './database-name.ts';
import { route } from './route.ts';
import { newTenantCode } from './tenants.ts';
import { requiredText } from './text.ts';

/**
 * GET /managedatabase/copydatabase (SPEC §7.3): `copyFrom` is the name of the database to copy, `databaseName` the new one's.
 */
export const copyDatabaseQuery = z.object({
  copyFrom: requiredText(DATABASE_NAME_MAX, 'copyFrom is required', 'copyFrom should not be more than 256 characters'),
  tenantCode: newTenantCode,
  databaseName: databaseName('Duplicate Database Name is Required'),
  isCreateTenant: z.literal('true', { error: 'isCreateTenant must be true' }),
});

export const databaseRoutes = {
  copy: route({
    feature: 'databases',
    summary: 'Duplicate a tenant: its fields under a new code, and its database with every row',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/copydatabase',
    permission: 'tenants.write',
    mutates: true,
    query: copyDatabaseQuery,
    result: z.object({ id: z.string(), databaseName: z.string() }),
  }),
};
