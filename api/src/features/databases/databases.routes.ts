import { databaseRoutes } from '@apotheca/contract/databases';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { requirePermission } from '../auth/auth.service.ts';
import { duplicateTenant } from '../tenants/tenants.service.ts';
import {
  cloneDatabase,
  deleteDatabaseByName,
  describePlan,
  getDatabaseDetails,
  listDatabases,
  planDeletion,
  renameDatabaseByName,
} from './database-management.service.ts';

export function registerDatabases(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, databaseRoutes, {
    list: async ({ query }) => ({ json: await listDatabases(context, query.sortDirection) }),
    details: async ({ query }) => ({ result: await getDatabaseDetails(context, query.databaseName) }),
    check: async ({ query }) => {
      const plan = await planDeletion(context, query.databaseName);
      return { result: plan, message: describePlan(plan) };
    },
    delete: async ({ query, actor }) => ({
      result: await deleteDatabaseByName(context, actor, query.databaseName, query.plan),
      message: 'Successfully deleted database.',
    }),
    rename: async ({ query, actor }) => ({
      result: await renameDatabaseByName(context, actor, query.databaseName, query.newName),
      message: `Success! Database has been renamed to ${query.newName}.`,
    }),
    copy: async ({ query, actor, caller }) => {
      if (query.isCreateTenant !== 'true') {
        const result = await cloneDatabase(context, actor, query.copyFrom, query.databaseName);
        return { result, message: `Success! Database ${result.databaseName} has been created as a copy.` };
      }
      await requirePermission(context, caller, actor, 'tenants.write');
      const result = await duplicateTenant(context, actor, query);
      return { result, message: `Success! Tenant ${query.tenantCode} has been created as a copy.` };
    },
  });
}
