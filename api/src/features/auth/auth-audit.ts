import type { Actor } from '../../actor.ts';
import { appendAuditBy } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';

/** Notes the outcome of a sign-in or a call in the audit trail, in a transaction of its own. */
export async function auditOutcome(
  context: Context,
  actor: Actor,
  action: string,
  changes?: Record<string, unknown>,
): Promise<void> {
  const event = { actor, action, entity: 'users', entityId: actor.id ?? '', ...(changes && { changes }) };
  await appendAuditBy(context, context.platform, event);
}
