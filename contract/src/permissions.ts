import { z } from 'zod';
import { route } from './route.ts';
import { id } from './text.ts';

const count = z.number().int().nonnegative();

/** What a sync of permissions changed (DECISIONS §10). */
export const permissionSync = z.object({
  added: count,
  changed: count,
  removed: count,
  /** Identifiers that the tenant itself had switched off, and that stay off. */
  kept: z.array(z.string()),
});
export type PermissionSync = z.infer<typeof permissionSync>;

export const permissionRoutes = {
  sync: route({
    feature: 'permissions',
    summary: 'Bring the permissions of the catalogue into the control database, or into the database of a tenant',
    base: 'api',
    method: 'POST',
    path: '/adminpermission/syncpermissions',
    permission: 'permissions.write',
    query: z.object({ tenantId: id().optional() }),
    result: permissionSync,
  }),
};
