import { type BulkSubject, changeOf } from '../../../bulks/bulk-subject.ts';
import { pingServer } from '../../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { planMovesAway } from '../../databaseservers/placement.ts';
import { backupOperation } from '../backups/backup.operation.ts';
import { listReadyDatabases } from '../databases.service.ts';
import { moveOperation } from '../moving/move.operation.ts';
import { countMovesAtOnce } from '../moving/move-plan.ts';
import { upgradeOperation } from '../upgrade.operation.ts';

const KINDS = { 'back-up': backupOperation, upgrade: upgradeOperation, 'move-away': moveOperation };

/**
 * Each database is backed up, upgraded, or moved away from a server that takes no new ones, by an operation of its own: it has its own claim,
 * steps and end in the list of operations.
 */
export const databaseBulk: BulkSubject<{ action: keyof typeof KINDS }> = {
  name: 'databases',
  noun: 'database',
  done: { 'back-up': 'backed up', upgrade: 'upgraded', 'move-away': 'moved' },
  atOnce: async (context, { action }, signal) => (action === 'move-away' ? countMovesAtOnce(context, signal) : 1),
  async openRecords({ platform }, _actor, { action }) {
    const rows = await listReadyDatabases(platform);
    const databases = new Map(rows.flatMap((row) => [row.id, row.tenantId].map((id) => [id, row])));
    const newest = newestTenantSchemaVersion();
    const placeOf = action === 'move-away' ? await planMovesAway({ platform }) : undefined;
    return (id) => {
      const row = databases.get(id);
      if (!row) return undefined;
      const { id: databaseId, name: record, schemaVersion, serverId } = row;
      return {
        record,
        plan() {
          const place = placeOf?.(row);
          const change = () => {
            if (action === 'upgrade') return changeOf('Version', String(schemaVersion), String(newest));
            if (place) return changeOf('Database Server', place.from.name, place.to.name);
            return { outcome: 'change' as const, changes: [] };
          };
          return {
            ...change(),
            async start(context, actor, operationId) {
              // Its operation would wait for a server that is away, and the databases behind it with it.
              await pingServer(await context.clusters.of(serverId));
              // Hours after the plan it may live elsewhere, or stay.
              const input = { databaseId, ...(place && { leaves: place.from.id, serverId: place.to.id }) };
              await startOperation(context, actor, KINDS[action], input, operationId);
            },
          };
        },
      };
    };
  },
};
