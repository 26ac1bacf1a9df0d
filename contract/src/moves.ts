import { z } from 'zod';
import { updatedBy } from './caller-stamp.ts';
import { count } from './fields.ts';
import { sentPlan } from './plan.ts';
import { route } from './route.ts';
import { id } from './text.ts';

/** `replication`: the copy follows its source, and writes wait only for the switch. `dump`: programs are kept out from begin to end. */
export const MOVE_WAYS = ['replication', 'dump'] as const;

/** What moving a database to another server would do. */
export const movePlan = z.object({
  databaseName: z.string(),
  /** The server that it would be moved to. */
  databaseServerId: z.string(),
  fromServer: z.string(),
  toServer: z.string(),
  sizeBytes: count,
  /** Connections that are open right now. */
  connections: count,
  way: z.enum(MOVE_WAYS),
  /** Why it cannot be replicated, in sentences; none where it can. */
  reasons: z.array(z.string()),
  /** Replication does not carry sequences: they are set at the switch. */
  sequences: count,
  digest: z.string(),
});
export type MovePlan = z.infer<typeof movePlan>;

/** A tenant, or a database that may belong to none; and the server, absent: the active one with the most room. */
const moved = { id: id(), databaseServerId: id('databaseServerId is invalid').optional() };

export const moveRoutes = {
  planMove: route({
    feature: 'databases',
    summary:
      "What moving a tenant's database, or a clone, to another database server would do; the message is for the confirmation",
    base: 'api',
    method: 'GET',
    path: '/tenant/previewmove',
    permission: 'databases.read',
    query: z.object(moved),
    result: movePlan,
  }),
  move: route({
    feature: 'databases',
    summary: "Move a tenant's database, or a clone, to another database server; what it was there is kept for a while",
    base: 'api',
    method: 'POST',
    path: '/tenant/move',
    permission: 'databases.write',
    operation: true,
    body: z.object({ ...moved, ...sentPlan, ...updatedBy }),
    result: z.object({
      id: z.string(),
      databaseName: z.string(),
      databaseServerId: z.string(),
      way: z.enum(MOVE_WAYS),
      /** For how long nobody could write, in milliseconds. */
      heldMs: count,
    }),
  }),
};
