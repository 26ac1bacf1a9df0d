import { operationRoutes } from '@apotheca/contract/operations';
import type { FastifyInstance } from 'fastify';
import type { Actor, Caller } from '../../actor.ts';
import { openBatchResults } from '../../batches/batch-results.ts';
import type { OperationsContext } from '../../operations/operation-kind.ts';
import {
  cancelOperation,
  getOperation,
  listNeededPermissions,
  listOperations,
  listPermissionsToCancel,
  retryOperation,
} from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { requirePermission } from '../auth/callers.service.ts';

export function registerOperations(app: FastifyInstance, context: OperationsContext): void {
  const requirePermissions = async (id: string, caller: Caller, actor: Actor, list = listNeededPermissions) => {
    for (const permission of await list(context, id)) {
      await requirePermission(context, caller, actor, permission);
    }
  };
  serveRoutes(app, context, operationRoutes, {
    list: listOperations(),
    get: async ({ query }) => ({ result: await getOperation(context, query.id) }),
    results: async ({ query, caller, actor }) => {
      await requirePermissions(query.id, caller, actor);
      return { file: await openBatchResults(context, query.id) };
    },
    cancel: async ({ query, caller, actor }) => {
      await requirePermissions(query.id, caller, actor, listPermissionsToCancel);
      await cancelOperation(context, actor, query.id);
      return { result: { operationId: query.id }, message: 'The operation will be cancelled.' };
    },
    retry: async ({ query, caller, actor }) => {
      await requirePermissions(query.id, caller, actor);
      const operationId = await retryOperation(context, actor, query.id);
      return { result: { operationId }, message: 'The operation has been started again.' };
    },
  });
}
