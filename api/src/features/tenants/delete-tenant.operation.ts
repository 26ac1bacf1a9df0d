import { z } from 'zod';
import type { Trx } from '../../db/platform.ts';
import { operationKind, type Run } from '../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../plan.ts';
import {
  completeDeletion,
  DELETION_STEPS,
  planDatabaseDeletion,
  runDeletion,
  undoDeletion,
} from '../databases/database-deletion.ts';
import { getDatabaseById } from '../databases/databases.service.ts';
import { deleteTenant } from './tenants.repository.ts';
import { auditTenant } from './tenants.service.ts';

/** Erases a tenant for good: database, role and rows; the audit entry stays. */
export const deleteTenantOperation = operationKind({
  name: 'delete-tenant',
  participle: 'deleted with its tenant',
  permissions: ['tenants.delete'],
  input: z.object({ databaseId: z.string(), plan: z.string().optional() }),
  steps: DELETION_STEPS,
  async prepare(context, { databaseId, plan }) {
    const row = await getDatabaseById(context.platform, databaseId);
    if (plan !== undefined) refuseChangedPlan(plan, await planDatabaseDeletion(context, row));
    return { database: { id: row.id, name: row.name }, claims: [row.id], sizeBytes: row.sizeBytes };
  },
  run: (run, { databaseId, plan }) => runDeletion(run, databaseId, plan, announceTo(run)),
  complete: (run, { databaseId }) => completeDeletion(run, databaseId, announceTo(run)),
  undo: (run, { databaseId }) => undoDeletion(run, databaseId),
});

const announceTo =
  (run: Run) =>
  async (trx: Trx, { tenantId }: { tenantId: string | null }) => {
    const id = tenantId ?? '';
    const code = await deleteTenant(trx, id);
    await run.succeed(trx, { message: 'Successfully deleted tenant.', result: { id } });
    await auditTenant(run.context, trx, run.actor, 'tenants.delete', id, { code });
  };
