import { permissionRoutes } from '@apotheca/contract/permissions';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { describeSync, syncCatalogue, syncTenantPermissions } from './permissions.service.ts';

export function registerPermissions(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, permissionRoutes, {
    sync: async ({ query: { tenantId }, actor }) => {
      const result = tenantId
        ? await syncTenantPermissions(context, actor, tenantId)
        : await syncCatalogue(context, actor);
      return { result, message: describeSync(result) };
    },
  });
}
