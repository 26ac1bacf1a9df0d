import { type BulkSubject, changeOf } from '../../../bulks/bulk-subject.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { backupOperation } from '../backups/backup.operation.ts';
import { listReadyDatabases } from '../databases.service.ts';
import { upgradeOperation } from '../upgrade.operation.ts';

/** Each database is backed up, or upgraded, by an operation of its own: it has its own claim, steps and end in the list of operations. */
export const databaseBulk: BulkSubject<{ action: 'back-up' | 'upgrade' }> = {
  name: 'databases',
  noun: 'database',
  done: { 'back-up': 'backed up', upgrade: 'upgraded' },
  async openRecords({ platform }, _actor, { action }) {
    const rows = await listReadyDatabases(platform);
    const databases = new Map(rows.flatMap((row) => [row.id, row.tenantId].map((id) => [id, row])));
    const newest = newestTenantSchemaVersion();
    const kind = action === 'back-up' ? backupOperation : upgradeOperation;
    return (id) => {
      const row = databases.get(id);
      if (!row) return undefined;
      const { id: databaseId, name: record, schemaVersion } = row;
      return {
        record,
        plan: () => ({
          ...(action === 'upgrade'
            ? changeOf('Version', String(schemaVersion), String(newest))
            : { outcome: 'change' as const, changes: [] }),
          start: (context, actor, operationId) => startOperation(context, actor, kind, { databaseId }, operationId),
        }),
      };
    };
  },
};
