import { operationRoutes } from '@apotheca/contract/operations';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { requirePermission } from '../features/auth/callers.service.ts';
import { serveRoutes } from '../plugins/contract-route.ts';
import type { OperationKind } from './operation-kind.ts';
import {
  cancelOperation,
  getOperation,
  getOperationKind,
  listOperations,
  retryOperation,
} from './operations.service.ts';

/** @param kinds all kinds of operation, by name */
export function registerOperations(
  app: FastifyInstance,
  context: Context,
  kinds: ReadonlyMap<string, OperationKind>,
): void {
  serveRoutes(app, context, operationRoutes, {
    list: async () => ({ result: await listOperations(context) }),
    get: async ({ query }) => ({ result: await getOperation(context, query.id) }),
    cancel: async ({ query, caller, actor }) => {
      const { permission } = await getOperationKind(context, kinds, query.id);
      await requirePermission(context, caller, actor, permission);
      await cancelOperation(context, query.id);
      return { result: { operationId: query.id }, message: 'The operation will be cancelled.' };
    },
    retry: async ({ query, caller, actor }) => {
      const { permission } = await getOperationKind(context, kinds, query.id);
      await requirePermission(context, caller, actor, permission);
      const operationId = await retryOperation(context, actor, kinds, query.id);
      return { result: { operationId }, message: 'The operation has been started again.' };
    },
  });
}
