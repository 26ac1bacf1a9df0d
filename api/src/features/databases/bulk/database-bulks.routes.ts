import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import type { FastifyInstance } from 'fastify';
import { bulkHandlers } from '../../../bulks/bulk-handlers.ts';
import type { Context } from '../../../context.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { bulkDatabasesOperation } from './bulk-databases.operation.ts';
import { databaseBulk } from './database-bulk.ts';

export function registerDatabaseBulks(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, databaseBulkRoutes, bulkHandlers(context, databaseBulk, bulkDatabasesOperation));
}
