import type { BulkSubject } from '../../bulks/bulk-subject.ts';
import { listTenantsToSync } from './tenant-sync.repository.ts';
import { syncTenantPermissions } from './tenant-sync.service.ts';

/** A sync of tenants: whether it changes something is known when it is done. A second one of a tenant changes nothing. */
export const permissionBulk: BulkSubject<{ action: 'sync' }> = {
  name: 'permissions',
  noun: 'tenant',
  done: { sync: 'synced' },
  async openRecords({ platform }) {
    const codes = new Map(
      (await listTenantsToSync(platform)).map(({ tenantId, tenantCode }) => [tenantId, tenantCode]),
    );
    return (id) => {
      const record = codes.get(id);
      if (record === undefined) return undefined;
      return {
        record,
        plan: () => ({
          outcome: 'change',
          changes: [],
          write: (context, actor) => syncTenantPermissions(context, actor, id),
        }),
      };
    };
  },
};
