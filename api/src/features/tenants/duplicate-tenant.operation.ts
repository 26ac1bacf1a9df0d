import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newStamps } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import { AppError } from '../../errors.ts';
import { operationKind } from '../../operations/operation-kind.ts';
import { COPY_STEPS, registerCopy, runCopy, undoCopy } from '../databases/database-copy.ts';
import { refuseUnusableName } from '../databases/database-names.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';
import { deleteTenant, findTenant, insertTenant, isTenantCodeTaken } from './tenants.repository.ts';
import { contentOf, tenantCodeTaken } from './tenants.service.ts';

/** Copies a tenant's fields, but its subdomain, to a new tenant, and its database with all its rows. The id of the new database is the operation's. */
export const duplicateTenantOperation = operationKind({
  name: 'duplicate-tenant',
  participle: 'copied for a new tenant',
  input: z.object({ copyFrom: z.string(), tenantCode: z.string(), databaseName: z.string() }),
  steps: COPY_STEPS,
  async prepare(context, { copyFrom, tenantCode: code, databaseName: name }, { id, actor }) {
    const source = await getDatabaseByName(context, copyFrom);
    const original = source.tenantId && (await findTenant(context.platform, source.tenantId));
    if (!original) throw new AppError('not-found', { message: `No tenant owns the database '${copyFrom}'.` });
    if (await isTenantCodeTaken(context.platform, code)) throw tenantCodeTaken('tenantCode');
    await refuseUnusableName(context, name);
    const tenantId = randomUUID();
    const now = context.now();
    return {
      database: { id, name },
      claims: [id, source.id],
      sizeBytes: source.sizeBytes,
      register: async (trx) => {
        await insertTenant(trx, {
          ...original,
          id: tenantId,
          code,
          // Programs that look the original up by it would be refused: the copy's would be another tenant.
          subdomain: '',
          postponedTo: null,
          ...newStamps(actor, now),
        }).catch(refuseBy({ tenants__code: () => tenantCodeTaken('tenantCode') }));
        await registerCopy(context, trx, { id, name, tenantId, source });
      },
    };
  },
  run: (run, { copyFrom, tenantCode: code, databaseName }) =>
    runCopy(run, async (trx, { tenantId }) => {
      const id = tenantId ?? '';
      const copy = await findTenant(trx, id);
      await run.succeed(trx, {
        message: `Success! Tenant ${code} has been created as a copy.`,
        result: { id, databaseName },
      });
      await appendAudit(run.context, trx, {
        actor: run.actor,
        action: 'tenants.duplicate',
        entity: 'tenants',
        entityId: id,
        changes: { ...(copy && contentOf(copy)), code, databaseName, copyFrom },
      });
    }),
  undo: (run) =>
    undoCopy(run, async (trx, { tenantId }) => {
      if (tenantId) await deleteTenant(trx, tenantId);
    }),
});
