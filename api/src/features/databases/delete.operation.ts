import { z } from 'zod';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { operationKind, type Run } from '../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { auditDatabase } from './database-audit.ts';
import {
  completeDeletion,
  DELETION_STEPS,
  planDatabaseDeletion,
  runDeletion,
  undoDeletion,
} from './database-deletion.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { getDatabaseById } from './databases.service.ts';

/** Deletes a clone with its role, for good. */
export const deleteOperation = operationKind({
  name: 'delete',
  participle: 'deleted',
  permissions: ['databases.delete'],
  input: z.object({ databaseId: z.string(), plan: z.string().optional() }),
  steps: DELETION_STEPS,
  async prepare(context, { databaseId, plan }) {
    const row = await getDatabaseById(context.platform, databaseId);
    refuseDatabaseOfTenant(row);
    if (plan !== undefined) refuseChangedPlan(plan, await planDatabaseDeletion(context, row));
    return { database: { id: row.id, name: row.name }, claims: [row.id], sizeBytes: row.sizeBytes };
  },
  run: (run, { databaseId, plan }) => runDeletion(run, databaseId, plan, announceTo(run)),
  complete: (run, { databaseId }) => completeDeletion(run, databaseId, announceTo(run)),
  undo: (run, { databaseId }) => undoDeletion(run, databaseId),
});

const announceTo =
  (run: Run) =>
  async (trx: Trx, { id, name }: DatabaseRow) => {
    await run.succeed(trx, { message: 'Successfully deleted database.', result: { id, databaseName: name } });
    await auditDatabase(run, trx, 'databases.delete', id, { name });
  };

/** The database of a tenant goes with the tenant only. @throws AppError conflict */
export function refuseDatabaseOfTenant(row: DatabaseRow): void {
  if (row.tenantId === null) return;
  throw new AppError('conflict', {
    message: `${row.name} is the database of a tenant: it is deleted with the tenant, on the Tenants screen.`,
  });
}
