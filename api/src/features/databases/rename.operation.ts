import { z } from 'zod';
import { appendAudit } from '../../audit/audit.service.ts';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { refuseDuplicateName, refuseUnusableName, renameDatabase } from './database-names.ts';
import { incrementTenantVersion } from './databases.repository.ts';
import { getDatabaseById, getDatabaseByName, preparationFor } from './databases.service.ts';

/**
 * Changes a database's name. Nothing changes in PostgreSQL: sessions go on, and the connection string of its tenant stays the same.
 */
export const renameOperation = operationKind({
  name: 'rename',
  participle: 'renamed',
  input: z.object({ databaseName: z.string(), newName: z.string() }),
  steps: [{ name: 'Renaming', cancellable: false }],
  async prepare(context, { databaseName, newName }) {
    const row = await getDatabaseByName(context, databaseName);
    if (row.name !== newName) await refuseUnusableName(context, newName);
    return { ...preparationFor(row), sizeBytes: 0 };
  },
  async run(run, { databaseName, newName }) {
    const row = await getDatabaseByName(run.context, databaseName);
    await run.step(0);
    await run.connection
      .transaction()
      .execute(async (trx) => {
        // The tenant comes first, because edits of tenants lock the two rows in this order.
        const version = row.tenantId === null ? undefined : await incrementTenantVersion(trx, row.tenantId);
        await renameDatabase(trx, await getDatabaseById(trx, row.id), newName);
        await run.succeed(trx, {
          message: `Success! Database has been renamed to ${newName}.`,
          result: { id: row.id, databaseName: newName },
        });
        await auditDatabase(run, trx, 'databases.rename', row.id, { name: [row.name, newName] });
        if (row.tenantId === null || version === undefined) return;
        // Edits of the tenant that began with the old name are now stale.
        await appendAudit(run.context, trx, {
          actor: run.actor,
          action: 'tenants.edit',
          entity: 'tenants',
          entityId: row.tenantId,
          changes: { databaseName: [row.name, newName], version: [version - 1, version] },
        });
      })
      .catch(refuseDuplicateName);
  },
});
