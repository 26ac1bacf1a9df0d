import { z } from 'zod';
import { bulkRoutes } from './bulks.ts';

/** What is done with many databases. The id of a tenant stands for its database. */
export const databaseBulkRoutes = bulkRoutes({
  feature: 'databases',
  noun: 'databases',
  path: '/managedatabase',
  permission: 'databases.write',
  asked: { action: z.enum(['back-up', 'upgrade', 'move-away']) },
});
