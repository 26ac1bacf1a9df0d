import type { TenantsSync } from '@apotheca/contract/permissions';
import { z } from 'zod';
import { appendAudit } from '../../audit/audit.service.ts';
import { AppError } from '../../errors.ts';
import { operationKind, type Run } from '../../operations/operation-kind.ts';
import { describeTenantsSync } from './sync-summary.ts';
import { listTenantsToSync } from './tenant-sync.repository.ts';
import { syncTenants } from './tenant-sync.service.ts';

const SYNCING = 0;
const FINISHING = 1;

/**
 * Syncs the active permissions into every tenant's database (DECISIONS §10). If it is interrupted, it syncs all tenants again; a second
 * sync of a tenant changes nothing. It claims no database: a sync locks only the tenant's table of permissions.
 */
export const syncTenantsOperation = operationKind({
  name: 'sync-tenants',
  participle: 'synced',
  entity: 'permissions',
  input: z.object({}),
  steps: [
    { name: 'Syncing tenants', cancellable: true },
    { name: 'Finishing', cancellable: false },
  ],
  prepare: async (_context, _input, { id }) => ({ database: { id, name: 'all tenants' }, claims: [], sizeBytes: 0 }),
  async run(run) {
    await run.step(SYNCING);
    const wanted = await listTenantsToSync(run.connection);
    const synced: TenantsSync['tenants'] = [];
    try {
      await syncTenants(run, wanted, synced);
      await run.step(FINISHING);
    } catch (error) {
      throw error instanceof AppError && error.code === 'cancelled' ? cancelledAfter(synced, wanted.length) : error;
    }
    await finish(run, { tenants: synced });
  },
});

async function finish(run: Run, result: TenantsSync): Promise<void> {
  const { context, actor, operationId } = run;
  const failed = result.tenants.filter(({ problem }) => problem !== undefined).length;
  await run.connection.transaction().execute(async (trx) => {
    await run.succeed(trx, { message: describeTenantsSync(result), result });
    const event = { actor, action: 'permissions.sync-tenants', entity: 'permissions', entityId: operationId };
    const changes = { synced: result.tenants.length - failed, failed };
    await appendAudit(context, trx, { ...event, changes });
  });
}

function cancelledAfter(synced: TenantsSync['tenants'], all: number): AppError {
  return new AppError('cancelled', {
    message: `The sync was cancelled after ${synced.length} of ${all} tenants. Those stay synced.`,
  });
}
