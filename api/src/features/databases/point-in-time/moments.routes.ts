import { momentRoutes } from '@apotheca/contract/moments';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { restoreMomentOperation } from './restore-moment.operation.ts';
import { getMomentRange } from './wal-archive.service.ts';

export function registerMoments(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, momentRoutes, {
    range: async () => ({ result: await getMomentRange(context) }),
    restore: async ({ query, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, query.databaseName);
      const moment = new Date(query.moment).toISOString();
      const input = { databaseId, moment, newName: query.newName };
      return { operationId: await startOperation(context, actor, restoreMomentOperation, input) };
    },
  });
}
