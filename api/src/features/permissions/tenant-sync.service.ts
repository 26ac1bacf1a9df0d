import type { PermissionSync, TenantsSync } from '@apotheca/contract/permissions';
import type { Actor } from '../../actor.ts';
import { auditBeforehand } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Place } from '../../db/cluster/session.ts';
import { onBudget, TimeBudget } from '../../db/connections/time-budget.ts';
import { isDatabaseAway, postgresMessage } from '../../db/errors/postgres-errors.ts';
import { refusalOf } from '../../db/errors/postgres-refusals.ts';
import { AppError } from '../../errors.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import { comparePermissions, type PermissionComparison } from './permission-sync.ts';
import { summariseSync } from './sync-summary.ts';
import { askPlatform, listCatalogue, lockTenantPermissions, writeTenantPermissions } from './tenant-sync.repository.ts';

/** How many tenants are synced at a time: other calls need connections too. */
const SYNCS_AT_ONCE = 4;

/**
 * Syncs the active permissions and menus into a tenant's database. What the tenant itself has switched off stays off (DECISIONS §10).
 * @throws AppError not-found
 */
export async function syncTenantPermissions(context: Context, actor: Actor, tenantId: string): Promise<PermissionSync> {
  const database = await getDatabaseOfTenant(context, tenantId);
  return writeCatalogue(context, database, async (comparison, commit) => {
    const result = summariseSync(comparison);
    const { permissions: _, ...changes } = result;
    const event = { actor, action: 'permissions.sync', entity: 'tenants', entityId: tenantId, changes };
    await auditBeforehand(context, event, commit);
    return result;
  });
}

type TenantSync = TenantsSync['tenants'][number];

/**
 * Syncs tenants, a few at a time. A tenant that fails is named, and the others go on. A cancelled run ends between two tenants.
 * @param synced gets each tenant that was tried, at the end in the order of `tenants`
 * @throws the reason of the cancellation; the error of the control database if it does not answer
 */
export async function syncTenants(
  run: Run,
  tenants: readonly Pick<TenantSync, 'tenantId' | 'tenantCode'>[],
  synced: TenantSync[],
): Promise<void> {
  const waiting = tenants.values();
  const work = async () => {
    for (const tenant of waiting) {
      run.signal.throwIfAborted();
      synced.push(await trySync(run, tenant));
      run.progress(synced.length / tenants.length);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: SYNCS_AT_ONCE }, work));
  const places = new Map(tenants.map(({ tenantId }, place) => [tenantId, place]));
  synced.sort((one, two) => (places.get(one.tenantId) ?? 0) - (places.get(two.tenantId) ?? 0));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
}

async function trySync(
  { context, actor }: Run,
  tenant: Pick<TenantSync, 'tenantId' | 'tenantCode'>,
): Promise<TenantSync> {
  try {
    // Each tenant gets the time of a call, however many there are.
    const syncOne = () => syncTenantPermissions(context, actor, tenant.tenantId);
    const { permissions: _, ...sync } = await onBudget(new TimeBudget(), syncOne);
    return { ...tenant, sync };
  } catch (error) {
    // If the control database does not answer either, the tenant is not the cause.
    if (isDatabaseAway(error)) await askPlatform(context.platform);
    return { ...tenant, problem: problemOf(error) };
  }
}

/** @param finish what else belongs to the change, and its commit; where it fails before that, nothing is changed */
function writeCatalogue<T>(
  context: Context,
  database: Place,
  finish: (comparison: PermissionComparison, commit: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  return context.tenants.with(database, async (client) => {
    await client.query('begin');
    const present = await lockTenantPermissions(client);
    // Read under the lock, so that of two syncs at once the later one has the newer catalogue.
    const comparison = comparePermissions(await listCatalogue(context.platform), present);
    await writeTenantPermissions(client, comparison);
    return finish(comparison, () => client.query('commit'));
  });
}

function problemOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return refusalOf(error)?.message ?? postgresMessage(error) ?? new AppError('internal').message;
}
