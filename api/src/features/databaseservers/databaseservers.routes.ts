import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { counted } from '../../wording.ts';
import {
  checkDatabaseServer,
  createDatabaseServer,
  editDatabaseServer,
  listDatabaseServers,
} from './databaseservers.service.ts';
import {
  activateDatabaseServer,
  deleteDatabaseServer,
  drainDatabaseServer,
  retireDatabaseServer,
} from './server-states.ts';

export function registerDatabaseServers(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, databaseServerRoutes, {
    list: async () => ({ result: await listDatabaseServers(context) }),
    create: async ({ body: { createdBy: _, ...form }, actor }) => ({
      result: await createDatabaseServer(context, actor, form),
      message: 'Success! Database server has been created.',
    }),
    edit: async ({ body: { updatedBy: _, ...edit }, actor }) => ({
      result: await editDatabaseServer(context, actor, edit),
      message: 'Success! Database server has been updated.',
    }),
    check: async ({ body, actor }) => ({ result: await checkDatabaseServer(context, actor, body.id) }),
    drain: async ({ body, actor }) => {
      const result = await drainDatabaseServer(context, actor, body.id);
      return { result, message: describeDrain(result.databases) };
    },
    retire: async ({ body, actor }) => ({
      result: await retireDatabaseServer(context, actor, body.id),
      message: 'Success! Database server has been retired.',
    }),
    activate: async ({ body, actor }) => ({
      result: await activateDatabaseServer(context, actor, body.id),
      message: 'Success! The database server takes new tenants again.',
    }),
    delete: async ({ query, actor }) => {
      await deleteDatabaseServer(context, actor, query.id);
      return { result: null, message: 'Success! Database server has been deleted.' };
    },
  });
}

function describeDrain(databases: number): string {
  const left = databases === 0 ? 'No database lives there.' : `${counted(databases, 'database')} still there.`;
  return `No new tenants are placed there. ${left}`;
}
