import { databaseRoutes } from '@apotheca/contract/databases';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import type { OperationKind } from '../../operations/operation-kind.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { requirePermission } from '../auth/callers.service.ts';
import { cloneOperation } from './clone.operation.ts';
import { getDatabaseDetails, getDatabaseSizes, listDatabases, planDeletion } from './database-management.service.ts';
import { getDatabaseByName } from './databases.service.ts';
import { deleteOperation } from './delete.operation.ts';
import { describeDeletion } from './deletion-plan.ts';
import { renameOperation } from './rename.operation.ts';

/** @param duplicateTenant the operation of the tenants feature, which this feature may not import */
export function registerDatabases(
  app: FastifyInstance,
  context: Context,
  duplicateTenant: OperationKind<{ copyFrom: string; databaseName: string; tenantCode: string }>,
): void {
  serveRoutes(app, context, databaseRoutes, {
    list: listDatabases(),
    details: async ({ query, callContext }) => ({ result: await getDatabaseDetails(callContext, query.databaseName) }),
    sizes: async ({ query, callContext }) => ({ result: await getDatabaseSizes(callContext, query.databaseName) }),
    planDeletion: async ({ query, callContext }) => {
      const plan = await planDeletion(callContext, query.databaseName);
      return { result: plan, message: describeDeletion(context, `Deleting ${plan.databaseName}`, plan) };
    },
    delete: async ({ query: { databaseName, plan }, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return { operationId: await startOperation(context, actor, deleteOperation, { databaseId, plan }) };
    },
    rename: async ({ query: { databaseName, newName }, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      const asked = { databaseId, databaseName, newName };
      return { operationId: await startOperation(context, actor, renameOperation, asked) };
    },
    copy: async ({ query: { copyFrom, databaseName, ...query }, actor, caller }) => {
      const copy = { copyFrom, databaseName };
      if (query.isCreateTenant !== 'true') {
        return { operationId: await startOperation(context, actor, cloneOperation, copy) };
      }
      await requirePermission(context, caller, actor, 'tenants.write');
      const { tenantCode } = query;
      return { operationId: await startOperation(context, actor, duplicateTenant, { ...copy, tenantCode }) };
    },
  });
}
