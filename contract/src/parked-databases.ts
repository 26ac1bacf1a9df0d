import { z } from 'zod';
import { deletedBy } from './caller-stamp.ts';
import { existingDatabaseName } from './database-name.ts';
import { byId, count } from './fields.ts';
import { operationKind } from './operations.ts';
import { route } from './route.ts';
import { utcMoment } from './text.ts';

/** A database that was deleted or replaced, and is kept for a while so that it can be put back. */
export const parkedDatabase = z.object({
  id: z.string(),
  /** The name that it had. */
  databaseName: z.string(),
  /** The tenant that was deleted with it, or whose database replaced it. */
  tenantCode: z.string().nullable(),
  reason: z.enum(['deleted', 'tenant-deleted', 'replaced']),
  /** The database server to which its database goes back with it, as it was moved away from there; null: it stays on its server. */
  goesBackTo: z.string().nullable().default(null),
  sizeBytes: count.nullable(),
  parkedOnUtc: utcMoment,
  /** When it is removed for good. */
  keptUntilUtc: utcMoment,
  /** The operation that works on it right now. */
  operation: z.object({ id: z.string(), kind: operationKind }).nullable(),
});
export type ParkedDatabase = z.infer<typeof parkedDatabase>;

const changed = z.object({ id: z.string(), databaseName: z.string() });

export const parkedDatabaseRoutes = {
  listParked: route({
    feature: 'databases',
    summary: 'The deleted and replaced databases that are kept, newest first',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getparked',
    permission: 'databases.read',
    result: z.array(parkedDatabase),
    list: true,
  }),
  putBack: route({
    feature: 'databases',
    summary:
      'Put back a database that is kept, with its tenant, role and connection string; what replaced it is kept in its turn. Where its tenant was deleted it needs tenants.write too',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/putback',
    permission: 'databases.restore',
    operation: true,
    query: byId,
    result: changed,
  }),
  removeParked: route({
    feature: 'databases',
    summary:
      'Remove a parked database for good, by its id and its name; where its tenant was deleted it needs tenants.delete too',
    base: 'api',
    method: 'DELETE',
    path: '/managedatabase/removeparked',
    permission: 'databases.delete',
    fresh: true,
    operation: true,
    query: byId.extend({ databaseName: existingDatabaseName('databaseName'), ...deletedBy }),
    result: changed,
  }),
};
