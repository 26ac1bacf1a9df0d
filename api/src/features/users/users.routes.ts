import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import { userImportRoutes } from '@apotheca/contract/user-import';
import { userRoutes } from '@apotheca/contract/users';
import type { FastifyInstance } from 'fastify';
import { bulkHandlers } from '../../bulks/bulk-handlers.ts';
import type { Context } from '../../context.ts';
import { importHandlers } from '../../imports/import-handlers.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { bulkUsersOperation } from './bulk-users.operation.ts';
import { importUsersOperation } from './import-users.operation.ts';
import { userBulk } from './user-bulk.ts';
import { resetFactors } from './user-factors.service.ts';
import { userImport } from './user-import.ts';
import {
  createUser,
  deleteUser,
  duplicateUser,
  editUser,
  listUserOptions,
  listUsers,
  setUserActive,
} from './users.service.ts';

export function registerUsers(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, userRoutes, {
    list: listUsers,
    options: listUserOptions,
    create: async ({ body: { createdBy: _, ...fields }, actor }) => ({
      result: await createUser(context, actor, fields),
      message: 'Success! User profile has been Created.',
    }),
    edit: async ({ body: { id, updatedBy: _, ...fields }, actor }) => ({
      result: await editUser(context, actor, id, fields),
      message: 'Success! User profile has been updated.',
    }),
    activate: async ({ query, actor }) => ({
      result: await setUserActive(context, actor, query.id, true),
      message: 'User profile has been activated successfully',
    }),
    deactivate: async ({ query, actor }) => ({
      result: await setUserActive(context, actor, query.id, false),
      message: 'User profile has been deactivated successfully',
    }),
    duplicate: async ({ query: { id, userName, email }, actor }) => ({
      result: await duplicateUser(context, actor, id, { userName, email }),
      message: 'Success! User has been Duplicated.',
    }),
    resetFactors: async ({ query: { id }, actor }) => {
      await resetFactors(context, actor, id);
      return { result: { id }, message: "The user's second factor has been reset." };
    },
    delete: async ({ query, actor }) => ({
      result: await deleteUser(context, actor, query.id, query.reason),
      message: 'User deleted successfully.',
    }),
  });
  serveRoutes(app, context, userImportRoutes, importHandlers(context, userImport, importUsersOperation));
  serveRoutes(app, context, userBulkRoutes, bulkHandlers(context, userBulk, bulkUsersOperation));
}
