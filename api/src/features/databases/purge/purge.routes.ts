import { purgeRoutes } from '@apotheca/contract/purges';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { purgeOperation } from './purge.operation.ts';
import { describePurge, listPurges, planPurge } from './purge.service.ts';
import { putBackOperation } from './put-back.operation.ts';

/** Purges of a tenant's database, and putting them back. */
export function registerPurges(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, purgeRoutes, {
    planPurge: async ({ query: { databaseName, tables }, callContext }) => {
      const plan = await planPurge(callContext, databaseName, tables);
      return { result: plan, message: describePurge(plan) };
    },
    purge: async ({ query: { databaseName, plan }, body: tables, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return { operationId: await startOperation(context, actor, purgeOperation, { databaseId, tables, plan }) };
    },
    listPurges: async ({ query, callContext }) => ({ result: await listPurges(callContext, query.databaseName) }),
    putBack: async ({ query: { databaseName, operationId }, body: tables, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return {
        operationId: await startOperation(context, actor, putBackOperation, { databaseId, operationId, tables }),
      };
    },
  });
}
