import { appendAudit } from '../../audit/audit.service.ts';
import { deletionKind } from '../databases/database-deletion.ts';
import { deleteTenant } from './tenants.repository.ts';

/** Deletes a tenant with its database, role and rows. The audit entry stays. */
export const deleteTenantOperation = deletionKind({
  name: 'delete-tenant',
  participle: 'deleted with its tenant',
  async finish(run, trx, { tenantId }, parked) {
    const id = tenantId ?? '';
    const code = await deleteTenant(trx, id);
    await run.succeed(trx, { message: 'Successfully deleted tenant.', result: { id } });
    const changes = { code, ...parked };
    const event = { actor: run.actor, action: 'tenants.delete', entity: 'tenants', entityId: id, changes };
    await appendAudit(run.context, trx, event);
  },
});
