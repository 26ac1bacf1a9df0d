import type { PermissionSync } from '@apotheca/contract/permissions';
import { type Actor, appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import { comparePermissions } from './permission-sync.ts';
import {
  listActivePermissions,
  lockTenantPermissions,
  upsertCatalogue,
  writeTenantPermissions,
} from './permissions.repository.ts';

/** Brings the catalogue of the code into the control database (DECISIONS §10). */
export async function syncCatalogue(context: Context, actor: Actor): Promise<PermissionSync> {
  return context.platform.transaction().execute(async (trx) => {
    const written = await upsertCatalogue(trx);
    const event = { actor, action: 'permissions.sync', entity: 'permissions', entityId: 'catalogue', changes: written };
    await appendAudit(trx, context.keys.audit, event, context.now());
    return { ...written, removed: 0, kept: [] };
  });
}

/**
 * Brings the active permissions into a tenant's database: what the tenant itself switched off stays off (DECISIONS §10).
 * @throws AppError not-found
 */
export async function syncTenantPermissions(context: Context, actor: Actor, tenantId: string): Promise<PermissionSync> {
  const database = await getDatabaseOfTenant(context, tenantId);
  const catalogue = await listActivePermissions(context.platform);
  const compared = await context.tenants.with(database.physicalName, async (client) => {
    await client.query('begin');
    const comparison = comparePermissions(catalogue, await lockTenantPermissions(client));
    await writeTenantPermissions(client, comparison);
    await client.query('commit');
    return comparison;
  });
  const result = {
    added: compared.added.length,
    changed: compared.changed.length,
    removed: compared.removed.length,
    kept: compared.kept.map(({ identifier }) => identifier),
  };
  await context.platform.transaction().execute(async (trx) => {
    const event = { actor, action: 'permissions.sync', entity: 'tenants', entityId: tenantId, changes: result };
    await appendAudit(trx, context.keys.audit, event, context.now());
  });
  return result;
}

/** What a sync did, in words. */
export function describeSync({ added, changed, removed, kept }: PermissionSync): string {
  const stays = kept.length === 0 ? '' : ` ${kept.length} stay off, as the tenant decided: ${kept.join(', ')}.`;
  return `Permissions synced: ${added} added, ${changed} changed, ${removed} removed.${stays}`;
}
