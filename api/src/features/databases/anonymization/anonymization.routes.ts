import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { describeAnonymization, planAnonymization } from './anonymization.service.ts';
import { anonymizeOperation } from './anonymize.operation.ts';

export function registerAnonymization(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, anonymizationRoutes, {
    planAnonymization: async ({ query, callContext }) => {
      const plan = await planAnonymization(callContext, await getDatabaseByName(context, query.databaseName));
      return { result: plan, message: describeAnonymization(plan) };
    },
    anonymize: async ({ query: { databaseName, plan }, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, databaseName);
      return { operationId: await startOperation(context, actor, anonymizeOperation, { databaseId, plan }) };
    },
  });
}
