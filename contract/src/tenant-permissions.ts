import { z } from 'zod';
import { route } from './route.ts';
import { id, requiredText } from './text.ts';

const byTenant = z.object({ tenantId: id('tenantId is required') });

/** A permission in a tenant's own database, as of the last sync. */
export const tenantPermission = z.object({
  id: z.string(),
  module: z.string(),
  name: z.string(),
  identifier: z.string(),
  isMenu: z.boolean(),
  /** A permission that is off stays off when permissions are synced (DECISIONS §10). */
  isActive: z.boolean(),
});
export type TenantPermission = z.infer<typeof tenantPermission>;

export const tenantPermissionRoutes = {
  list: route({
    feature: 'permissions',
    summary: "A tenant's own permissions, and which of them it has switched off",
    base: 'api',
    method: 'GET',
    path: '/adminpermission/gettenantpermissions',
    permission: 'permissions.read',
    query: byTenant,
    result: z.array(tenantPermission),
  }),
  set: route({
    feature: 'permissions',
    summary: "Switch one of a tenant's own permissions on or off; a sync leaves off what is off",
    base: 'api',
    method: 'PUT',
    path: '/adminpermission/settenantpermission',
    permission: 'permissions.write',
    query: byTenant.extend({
      identifier: requiredText(256, 'identifier is required', 'identifier should not be more than 256 characters'),
      isActive: z.stringbool({ error: 'isActive must be true or false' }),
    }),
    result: z.object({ identifier: z.string(), isActive: z.boolean() }),
  }),
};
