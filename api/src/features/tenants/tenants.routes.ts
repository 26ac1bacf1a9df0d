import { tenantRoutes } from '@apotheca/contract/tenants';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { listLookups } from './tenant-lookups.service.ts';
import { createTenant, editTenant, eraseTenant, listTenants, setTenantActive } from './tenants.service.ts';

export function registerTenants(app: FastifyInstance, context: Context): void {
  const lookups = listLookups(context);
  serveRoutes(app, context, tenantRoutes, {
    list: async ({ query }) => ({ json: await listTenants(context, query.sortColumn, query.sortDirection) }),
    create: async ({ body: { createdBy: _, ...fields }, actor }) => ({
      result: await createTenant(context, actor, fields),
      message: 'Success! Tenant has been Created.',
    }),
    edit: async ({ body: { id, updatedBy: _, ...fields }, actor }) => ({
      result: await editTenant(context, actor, id, fields),
      message: 'Success! Tenant has been updated.',
    }),
    activate: async ({ query, actor }) => ({
      result: await setTenantActive(context, actor, query.id, true),
      message: 'Success! Tenant has been Activated.',
    }),
    deactivate: async ({ query, actor }) => ({
      result: await setTenantActive(context, actor, query.id, false),
      message: 'Success! Tenant has been Deactivated.',
    }),
    delete: async ({ query, actor }) => ({
      result: await eraseTenant(context, actor, query.id),
      message: 'Successfully deleted tenant.',
    }),
    listStatuses: async () => ({ result: await lookups.statuses() }),
    listTimezones: async () => ({ result: await lookups.timezones() }),
    listEmrs: async () => ({ result: await lookups.emrs() }),
  });
}
