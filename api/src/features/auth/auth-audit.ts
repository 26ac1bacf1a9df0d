import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';

/** Notes the outcome of a sign-in or a call in the audit trail, in a transaction of its own. */
export async function auditOutcome(
  context: Context,
  actor: Actor,
  action: string,
  changes?: Record<string, unknown>,
): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const event = { actor, action, entity: 'users', entityId: actor.id ?? '', ...(changes && { changes }) };
    await appendAudit(context, trx, event);
  });
}
