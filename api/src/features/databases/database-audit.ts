import { appendAudit } from '../../audit/audit.service.ts';
import type { Trx } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';

/** Notes what an operation did with a database, in the name of whoever started it. The last statement of its transaction. */
export function auditDatabase(
  { context, actor }: Run,
  trx: Trx,
  action: string,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const event = { actor, action, entity: 'databases', entityId, changes };
  return appendAudit(context, trx, event);
}

/** Notes what a database's operation changed of its tenant, so that edits of the tenant that began before are found stale. */
export function auditTenantOf(
  { context, actor }: Run,
  trx: Trx,
  { tenantId }: { tenantId: string | null },
  changes: Record<string, unknown>,
): Promise<void> {
  const event = { actor, action: 'tenants.edit', entity: 'tenants', entityId: tenantId ?? '', changes };
  return appendAudit(context, trx, event);
}
