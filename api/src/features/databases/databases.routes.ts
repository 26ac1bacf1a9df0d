import { databaseRoutes } from '@apotheca/contract/databases';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { requirePermission } from '../auth/callers.service.ts';
import { duplicateTenantOperation } from '../tenants/duplicate-tenant.operation.ts';
import { registerAnonymization } from './anonymization/anonymization.routes.ts';
import { registerBackups } from './backups/backups.routes.ts';
import { cloneOperation } from './clone.operation.ts';
import { describeErasure } from './database-erasure.ts';
import { getDatabaseDetails, listDatabases, planDeletion } from './database-management.service.ts';
import { getDatabaseByName } from './databases.service.ts';
import { deleteOperation } from './delete.operation.ts';
import { registerTenantData } from './purge/purge.routes.ts';
import { registerReconciliation } from './reconciliation/reconciliation.routes.ts';
import { renameOperation } from './rename.operation.ts';

export function registerDatabases(app: FastifyInstance, context: Context): void {
  registerTenantData(app, context);
  registerAnonymization(app, context);
  registerReconciliation(app, context);
  registerBackups(app, context);
  serveRoutes(app, context, databaseRoutes, {
    list: async ({ query }) => ({ json: await listDatabases(context, query.sortColumn, query.sortDirection) }),
    details: async ({ query, callContext }) => ({ result: await getDatabaseDetails(callContext, query.databaseName) }),
    check: async ({ query, callContext }) => {
      const plan = await planDeletion(callContext, query.databaseName);
      return { result: plan, message: describeErasure(`Deleting ${plan.databaseName}`, plan) };
    },
    delete: async ({ query: { databaseName, plan }, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return { operationId: await startOperation(context, actor, deleteOperation, { databaseId, plan }) };
    },
    rename: async ({ query, actor }) => ({
      operationId: await startOperation(context, actor, renameOperation, query),
    }),
    copy: async ({ query: { copyFrom, databaseName, ...query }, actor, caller }) => {
      const copy = { copyFrom, databaseName };
      if (query.isCreateTenant !== 'true') {
        return { operationId: await startOperation(context, actor, cloneOperation, copy) };
      }
      await requirePermission(context, caller, actor, 'tenants.write');
      const { tenantCode } = query;
      return { operationId: await startOperation(context, actor, duplicateTenantOperation, { ...copy, tenantCode }) };
    },
  });
}
