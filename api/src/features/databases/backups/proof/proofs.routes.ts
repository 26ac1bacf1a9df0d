import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../../context.ts';
import { startOperation } from '../../../../operations/operations.service.ts';
import { serveRoutes } from '../../../../plugins/contract-route.ts';
import { proveOperation } from './prove.operation.ts';

export function registerBackupProofs(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, backupProofRoutes, {
    prove: async ({ query: { id: backupId }, actor }) => ({
      operationId: await startOperation(context, actor, proveOperation, { backupId }),
    }),
  });
}
