import type { PermissionSync, TenantsSync } from '@apotheca/contract/permissions';
import pLimit from 'p-limit';
import { type Actor, appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { postgresMessage } from '../../db/postgres-errors.ts';
import { refusalOf } from '../../db/postgres-refusals.ts';
import { AppError } from '../../errors.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import { comparePermissions, type PermissionComparison } from './permission-sync.ts';
import { summariseSync } from './sync-summary.ts';
import {
  listActivePermissions,
  listTenantsToSync,
  lockTenantPermissions,
  writeTenantPermissions,
} from './tenant-sync.repository.ts';

/** Tenants that one call syncs at a time: other calls need connections too. */
const SYNCS_AT_ONCE = 4;

/**
 * Brings the active permissions and menus into a tenant's database: what the tenant itself switched off stays off (DECISIONS §10).
 * @throws AppError not-found
 */
export async function syncTenantPermissions(context: Context, actor: Actor, tenantId: string): Promise<PermissionSync> {
  const { physicalName } = await getDatabaseOfTenant(context, tenantId);
  const result = summariseSync(await writeCatalogue(context, physicalName));
  const { permissions: _, ...changes } = result;
  await context.platform.transaction().execute(async (trx) => {
    const event = { actor, action: 'permissions.sync', entity: 'tenants', entityId: tenantId, changes };
    await appendAudit(trx, context.keys.audit, event, context.now());
  });
  return result;
}

/** Syncs every tenant whose database is ready, a few at a time; one that fails is named and holds nobody up. */
export async function syncTenants(context: Context, actor: Actor): Promise<TenantsSync> {
  const limited = pLimit(SYNCS_AT_ONCE);
  const tenants = await listTenantsToSync(context.platform);
  return {
    tenants: await limited.map(tenants, async (tenant) => {
      try {
        return { ...tenant, sync: await syncTenantPermissions(context, actor, tenant.tenantId) };
      } catch (error) {
        return { ...tenant, problem: problemOf(error) };
      }
    }),
  };
}

function writeCatalogue(context: Context, physicalName: string): Promise<PermissionComparison> {
  return context.tenants.with(physicalName, async (client) => {
    await client.query('begin');
    const present = await lockTenantPermissions(client);
    // Read under the lock: of two syncs at once the later one has the newer catalogue.
    const comparison = comparePermissions(await listActivePermissions(context.platform), present);
    await writeTenantPermissions(client, comparison);
    await client.query('commit');
    return comparison;
  });
}

function problemOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return refusalOf(error)?.message ?? postgresMessage(error) ?? new AppError('internal').message;
}
