import { moveRoutes } from '@apotheca/contract/moves';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { moveOperation } from './move.operation.ts';
import { chooseServer, describeMove, planMove } from './move-plan.ts';
import { getMovable } from './moves.service.ts';

export function registerMoves(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, moveRoutes, {
    planMove: async ({ query, callContext }) => {
      const row = await getMovable(callContext, query.id);
      const serverId = await chooseServer(callContext, row, query.databaseServerId);
      const plan = await planMove(callContext, row, serverId);
      return { result: plan, message: await describeMove(callContext, row, plan) };
    },
    move: async ({ body: { id, databaseServerId: serverId, plan }, actor }) => {
      const { id: databaseId } = await getMovable(context, id);
      return { operationId: await startOperation(context, actor, moveOperation, { databaseId, serverId, plan }) };
    },
  });
}
