import { permissionRoutes } from '@apotheca/contract/permissions';
import { tenantSyncRoutes } from '@apotheca/contract/tenant-bulks';
import type { FastifyInstance } from 'fastify';
import { bulkHandlers } from '../../bulks/bulk-handlers.ts';
import type { Context } from '../../context.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { bulkPermissionsOperation } from './bulk-permissions.operation.ts';
import { syncCatalogue } from './catalogue.service.ts';
import { permissionBulk } from './permission-bulk.ts';
import {
  createPermission,
  deletePermission,
  editPermission,
  listAvailableIds,
  listPermissions,
  movePermission,
} from './permissions.service.ts';
import { describeSync } from './sync-summary.ts';
import { syncTenantsOperation } from './sync-tenants.operation.ts';
import { syncTenantPermissions } from './tenant-sync.service.ts';

const kindOf = ({ isMenu = false }: { isMenu?: boolean | undefined }): string => (isMenu ? 'Menu' : 'Permission');

export function registerPermissions(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, permissionRoutes, {
    list: listPermissions,
    listAvailableIds: async () => ({ result: await listAvailableIds(context) }),
    create: async ({ body, actor }) => ({
      result: await createPermission(context, actor, body),
      message: `Success! ${kindOf(body)} has been Created.`,
    }),
    edit: async ({ body, actor }) => ({
      result: await editPermission(context, actor, body),
      message: `Success! ${kindOf(body)} has been updated.`,
    }),
    move: async ({ query: { id, moveUp }, actor }) => {
      const result = await movePermission(context, actor, id, moveUp);
      const edge = moveUp ? 'first' : 'last';
      const done = result.hasMoved ? `has been moved ${moveUp ? 'up' : 'down'}` : `is the ${edge} one already`;
      return { result, message: `${kindOf(result)} ${done}.` };
    },
    delete: async ({ query, actor }) => {
      const result = await deletePermission(context, actor, query.id);
      return { result, message: `Success! ${kindOf(result)} has been deleted.` };
    },
    sync: async ({ query: { tenantId }, actor }) => {
      const result = tenantId
        ? await syncTenantPermissions(context, actor, tenantId)
        : await syncCatalogue(context, actor);
      return { result, message: describeSync(result) };
    },
    syncTenants: async ({ actor }) => ({
      operationId: await startOperation(context, actor, syncTenantsOperation, {}),
    }),
  });
  serveRoutes(app, context, tenantSyncRoutes, bulkHandlers(context, permissionBulk, bulkPermissionsOperation));
}
