import { appendAudit } from '../../audit/audit.service.ts';
import type { Trx } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';

/** Appends the audit entry of an operation on a database. The actor is the user who started it. */
export function auditDatabase(
  { context, actor }: Run,
  trx: Trx,
  action: string,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  return appendAudit(context, trx, { actor, action, entity: 'databases', entityId, changes });
}
