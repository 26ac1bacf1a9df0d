import { databaseRoutes } from '@apotheca/contract/databases';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { duplicateTenant } from '../tenants/tenants.service.ts';

export function registerDatabases(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, databaseRoutes, {
    copy: async ({ query, actor }) => ({
      result: await duplicateTenant(context, actor, query),
      message: `Success! Tenant ${query.tenantCode} has been created as a copy.`,
    }),
  });
}
