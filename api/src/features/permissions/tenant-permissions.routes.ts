import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { listTenantPermissions, setTenantPermission } from './tenant-permissions.service.ts';

export function registerTenantPermissions(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, tenantPermissionRoutes, {
    list: async ({ query, callContext }) => ({ result: await listTenantPermissions(callContext, query.tenantId) }),
    set: async ({ query, actor }) => {
      const { identifier, isActive } = query;
      const name = await setTenantPermission(context, actor, query);
      return { result: { identifier, isActive }, message: `${name} is ${isActive ? 'on' : 'off'} for this tenant.` };
    },
  });
}
