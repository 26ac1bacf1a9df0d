import { z } from 'zod';
import { route } from './route.ts';
import { requiredText, utcMoment } from './text.ts';

/** An entry of the audit trail (DECISIONS §12). */
export const auditEntry = z.object({
  id: z.string(),
  onUtc: utcMoment,
  actorId: z.string().nullable(),
  actorName: z.string(),
  action: z.string(),
  address: z.string(),
  /** Changed fields as `{ field: [before, after] }`, and other facts about the action; never a secret. */
  changes: z.record(z.string(), z.unknown()),
});
export type AuditTrailEntry = z.infer<typeof auditEntry>;

export const auditRoutes = {
  list: route({
    feature: 'dashboard',
    summary:
      "The newest 200 entries of the audit trail about a record; with an empty entityId those about no record, which for 'users' are sign-ins under unknown names",
    base: 'api',
    method: 'GET',
    path: '/audit/get',
    permission: 'audit.read',
    query: z.object({
      entity: requiredText(100, 'entity is required', 'entity should not be more than 100 characters'),
      entityId: z.string({ error: 'entityId is required' }).max(300, 'entityId should not be more than 300 characters'),
    }),
    result: z.array(auditEntry),
    list: true,
  }),
};
