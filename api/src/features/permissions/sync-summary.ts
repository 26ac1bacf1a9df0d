import type { PermissionSync, SyncedPermission, TenantsSync } from '@apotheca/contract/permissions';

/** How many tenants' failures a message names. */
const NAMED_FAILURES = 3;

type Named = Pick<SyncedPermission, 'identifier' | 'name'>;

/** The result of a sync: counts, and names. */
export function summariseSync(done: Record<SyncedPermission['outcome'], readonly Named[]>): PermissionSync {
  const named = (outcome: SyncedPermission['outcome']) =>
    done[outcome].map(({ identifier, name }) => ({ identifier, name, outcome }));
  return {
    added: done.added.length,
    changed: done.changed.length,
    removed: done.removed.length,
    kept: done.kept.map(({ identifier }) => identifier),
    permissions: [...named('added'), ...named('changed'), ...named('removed'), ...named('kept')],
  };
}

/** The result of a sync in words. */
export function describeSync({ added, changed, removed, kept }: PermissionSync): string {
  const stays = kept.length === 0 ? '' : ` ${kept.length} stay off, as the tenant decided: ${kept.join(', ')}.`;
  return `Permissions synced: ${added} added, ${changed} changed, ${removed} removed.${stays}`;
}

/** The result of a sync of every tenant in words. The first failures are named. */
export function describeTenantsSync({ tenants }: TenantsSync): string {
  const failures = tenants.flatMap(({ tenantCode, problem }) =>
    problem === undefined ? [] : [{ tenantCode, problem }],
  );
  const synced = tenants.length - failures.length;
  const count = `Permissions synced for ${synced} ${synced === 1 ? 'tenant' : 'tenants'}`;
  if (failures.length === 0) return `${count}.`;
  const named = failures
    .slice(0, NAMED_FAILURES)
    .map(({ tenantCode, problem }) => `${tenantCode} (${problem.replace(/\.$/, '')})`);
  const others = failures.length > NAMED_FAILURES ? [`${failures.length - NAMED_FAILURES} more`] : [];
  return `${count}; ${failures.length} failed: ${[...named, ...others].join(', ')}.`;
}
