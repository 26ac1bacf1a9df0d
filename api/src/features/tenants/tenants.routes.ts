import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type { FastifyInstance } from 'fastify';
import { bulkHandlers } from '../../bulks/bulk-handlers.ts';
import type { Context } from '../../context.ts';
import { importHandlers } from '../../imports/import-handlers.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import { describeDeletion } from '../databases/deletion-plan.ts';
import { followTenant, postponeExpiry } from './access/tenant-access.service.ts';
import { bulkTenantsOperation } from './bulk-tenants.operation.ts';
import { deleteTenantOperation } from './delete-tenant.operation.ts';
import { importTenantsOperation } from './import-tenants.operation.ts';
import { tenantBulk } from './tenant-bulk.ts';
import { tenantImport } from './tenant-import.ts';
import { lookups } from './tenant-lookups.service.ts';
import { createTenant, editTenant, listTenants, planTenantDeletion, setTenantActive } from './tenants.service.ts';

export function registerTenants(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, tenantRoutes, {
    list: listTenants(context),
    create: async ({ body: { createdBy: _, ...fields }, actor }) => ({
      result: await createTenant(context, actor, fields),
      message: 'Success! Tenant has been Created.',
    }),
    edit: async ({ body: { id, updatedBy: _, ...fields }, actor }) => {
      const result = await editTenant(context, actor, id, fields);
      return { result, message: `Success! Tenant has been updated.${await followTenant(context, actor, id)}` };
    },
    activate: async ({ query, actor }) => {
      const result = await setTenantActive(context, actor, query.id, true);
      return { result, message: `Success! Tenant has been Activated.${await followTenant(context, actor, query.id)}` };
    },
    deactivate: async ({ query, actor }) => {
      const result = await setTenantActive(context, actor, query.id, false);
      return {
        result,
        message: `Success! Tenant has been Deactivated.${await followTenant(context, actor, query.id)}`,
      };
    },
    postponeExpiry: async ({ query, actor }) => {
      const { followed, ...result } = await postponeExpiry(context, actor, query.id);
      return { result, message: `Success! The subscription counts as valid until ${result.postponedTo}.${followed}` };
    },
    planDeletion: async ({ query, callContext }) => {
      const { code, plan } = await planTenantDeletion(callContext, query.id);
      return { result: plan, message: describeDeletion(context, `Deleting tenant ${code}`, plan) };
    },
    delete: async ({ query: { id, plan }, actor }) => {
      const { id: databaseId } = await getDatabaseOfTenant(context, id);
      return { operationId: await startOperation(context, actor, deleteTenantOperation, { databaseId, plan }) };
    },
    ...lookups,
  });
  serveRoutes(app, context, tenantImportRoutes, importHandlers(context, tenantImport, importTenantsOperation));
  serveRoutes(app, context, tenantBulkRoutes, bulkHandlers(context, tenantBulk, bulkTenantsOperation));
}
