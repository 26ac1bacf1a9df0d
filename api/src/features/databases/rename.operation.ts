import { z } from 'zod';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Platform } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { refuseDuplicateName, refuseUnusableName, renameDatabase } from './database-names.ts';
import { type DatabaseRow, incrementTenantVersion } from './databases.repository.ts';
import { getDatabaseById, getDatabaseByName, preparationFor } from './databases.service.ts';

const input = z.object({
  /** Absent: asked by a version that went by the name. */
  databaseId: z.string().optional(),
  /** What the database was called when that was asked. */
  databaseName: z.string(),
  newName: z.string(),
});

/**
 * Changes a database's name. Nothing changes in PostgreSQL: sessions go on, and the connection string of its tenant stays the same.
 */
export const renameOperation = operationKind({
  name: 'rename',
  participle: 'renamed',
  input,
  steps: [{ name: 'Renaming', cancellable: false }],
  async prepare(context, asked) {
    const { newName } = asked;
    const row = await getAsked(context, context.platform, asked);
    if (row.name !== newName) await refuseUnusableName(context, newName);
    return { ...preparationFor(row), sizeBytes: 0 };
  },
  async run(run, asked) {
    const { newName } = asked;
    const row = await getAsked(run.context, run.connection, asked);
    await run.step(0);
    await run.connection
      .transaction()
      .execute(async (trx) => {
        // The tenant comes first, because edits of tenants lock the two rows in this order.
        const version = row.tenantId === null ? undefined : await incrementTenantVersion(trx, row.tenantId);
        await renameDatabase(trx, await getAsked(run.context, trx, { ...asked, databaseId: row.id }), newName);
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

/**
 * The database that is to be renamed. While that waits, the form of its tenant may rename it, and another one may get its old name.
 * @throws AppError not-found, conflict
 */
async function getAsked(
  context: Context,
  platform: Platform,
  { databaseId, databaseName }: z.output<typeof input>,
): Promise<DatabaseRow> {
  if (databaseId === undefined) return getDatabaseByName(context, databaseName);
  const row = await getDatabaseById(platform, databaseId);
  if (row.name.toUpperCase() === databaseName.toUpperCase()) return row;
  throw new AppError('conflict', { message: `${databaseName} has been renamed to ${row.name} meanwhile.` });
}
