import { adoptionRoutes } from '@apotheca/contract/adoptions';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { adoptOperation } from './adopt.operation.ts';
import { getPlan, inspectServer, inspectUpload } from './adoption.service.ts';
import { deleteRejectedRows, openRejectedRows } from './rejected-rows.ts';

export function registerAdoption(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, adoptionRoutes, {
    inspectArchive: async ({ query: { sha256 }, actor, upload, recheck }) => ({
      result: await inspectUpload(context, actor, { content: upload, sha256, recheckPermission: recheck }),
    }),
    inspectServer: async ({ body, actor }) => ({ result: await inspectServer(context, actor, body) }),
    plan: async ({ body }) => ({ result: await getPlan(context, body) }),
    adopt: async ({ body: { id: sourceId, ...body }, actor }) => ({
      operationId: await startOperation(context, actor, adoptOperation, { sourceId, ...body }),
    }),
    downloadRejected: async ({ query, actor }) => ({
      file: await openRejectedRows(context, actor, query.databaseName),
    }),
    deleteRejected: async ({ query, actor }) => ({
      result: await deleteRejectedRows(context, actor, query.databaseName),
      message: 'Successfully deleted rejected rows.',
    }),
  });
}
