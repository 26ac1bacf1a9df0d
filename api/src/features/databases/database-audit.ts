import type { Transaction } from 'kysely';
import { appendAudit } from '../../audit/audit.service.ts';
import type { PlatformTables } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';

/** Notes what an operation did with a database, in the name of whoever started it. The last statement of its transaction. */
export function auditDatabase(
  { context, actor }: Run,
  trx: Transaction<PlatformTables>,
  action: string,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const event = { actor, action, entity: 'databases', entityId, changes };
  return appendAudit(trx, context.keys.audit, event, context.now());
}
