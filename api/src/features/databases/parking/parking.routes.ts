import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { requirePermission } from '../../auth/callers.service.ts';
import { getParked, getParkedByName, listParked } from './parking.service.ts';
import { removeParkedOperation } from './remove-parked.operation.ts';
import { unparkOperation } from './unpark.operation.ts';

export function registerParking(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, parkedDatabaseRoutes, {
    listParked,
    putBack: async ({ query, actor, caller }) => {
      const { parked } = await getParked(context.platform, query.id);
      if (parked.tenant) await requirePermission(context, caller, actor, 'tenants.write');
      return { operationId: await startOperation(context, actor, unparkOperation, { databaseId: query.id }) };
    },
    removeParked: async ({ query, actor, caller }) => {
      const { parked } = await getParkedByName(context.platform, query.id, query.databaseName);
      if (parked.tenant) await requirePermission(context, caller, actor, 'tenants.delete');
      return { operationId: await startOperation(context, actor, removeParkedOperation, { databaseId: query.id }) };
    },
  });
}
