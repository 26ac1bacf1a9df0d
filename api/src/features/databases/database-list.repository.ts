import type { DatabaseSortColumn } from '@apotheca/contract/databases';
import type { SortedBy } from '@apotheca/contract/sorting';
import { newestFirst } from '../../db/due-moments.ts';
import type { TrackedList } from '../../db/json-list.ts';
import type { Platform } from '../../db/platform.ts';

/** The SQL expressions of the contract's sort keys. Equal values are sorted by name. */
const SORT_EXPRESSIONS: Record<DatabaseSortColumn, string> = {
  datName: 'd.name',
  tenantCode: 't.code',
  sizeBytes: 'd.size_bytes',
  newestBackupOnUtc: 'b.created_at',
};

/**
 * All databases that are ready, in the shape of contract/databases `database`. It is read anew after each backup, so of each database's
 * backups it looks up the newest one, and whether one was proved, by indexes: to group all of them would read all of them.
 * @param schemaVersion the newest version of the tenants' schema
 */
export const databasesList = (schemaVersion: number): TrackedList<SortedBy<DatabaseSortColumn>> => ({
  // What it takes of operations never changes, and their claims go before they do.
  tables: ['databases', 'tenants', 'operation_claims', 'backups', 'anonymized_clones', 'database_servers'],
  select({ sortColumn, sortDirection }) {
    const order = sortDirection === 'desc' ? 'desc nulls last' : 'asc nulls last';
    return {
      name: `databases-by-${sortColumn}-${sortDirection}`,
      values: [schemaVersion],
      rows: `
        select
          d.id, d.name as "databaseName", v.name as "serverName", t.code as "tenantCode", t.customer_code as "customerCode",
          source.name as "copiedFrom", a.refreshed_at as "refreshedOnUtc", d.created_at as "createdOnUtc", d.size_bytes as "sizeBytes",
          d.schema_version as "schemaVersion", d.schema_version < $1 as "isOutdated", d.access,
          b.created_at as "newestBackupOnUtc", coalesce(proved.exists, false) as "hasProvedBackup",
          case when o.id is not null then json_build_object('id', o.id, 'kind', o.kind) end as operation
        from databases d
        join database_servers v on v.id = d.server_id
        left join tenants t on t.id = d.tenant_id
        left join databases source on source.id = d.copied_from and source.state = 'ready'
        left join anonymized_clones a on a.database_id = d.id
        left join operation_claims c on c.database_id = d.id
        left join operations o on o.id = c.operation_id
        left join lateral (
          select created_at from backups where database_id = d.id and state = 'ready' order by created_at desc limit 1
        ) b on true
        left join lateral (
          select true as exists from backups where database_id = d.id and state = 'ready' and proof ->> 'result' = 'proved' limit 1
        ) proved on true
        where d.state = 'ready'
        order by ${SORT_EXPRESSIONS[sortColumn]} ${order}, d.name asc`,
    };
  },
});

/** What the list shows of one database, without its size and its operation; of its backups, the one that was the newest at `now`. */
export async function getDatabaseSummary(platform: Platform, id: string, now: Date) {
  const { createdAt, newestBackup, refreshedAt, ...summary } = await platform
    .selectFrom('databases as d')
    .innerJoin('databaseServers as v', 'v.id', 'd.serverId')
    .leftJoin('tenants as t', 't.id', 'd.tenantId')
    .leftJoin('databases as source', (join) =>
      join.onRef('source.id', '=', 'd.copiedFrom').on('source.state', '=', 'ready'),
    )
    .leftJoin('anonymizedClones as a', 'a.databaseId', 'd.id')
    .select([
      'a.refreshedAt',
      'd.id',
      'd.name as databaseName',
      'v.name as serverName',
      't.code as tenantCode',
      't.customerCode',
      'source.name as copiedFrom',
      'd.createdAt',
    ])
    .select((query) =>
      query
        .selectFrom('backups')
        .select('createdAt')
        .whereRef('databaseId', '=', 'd.id')
        .where('state', '=', 'ready')
        .orderBy(newestFirst('created_at', now))
        .limit(1)
        .as('newestBackup'),
    )
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    ...summary,
    refreshedOnUtc: refreshedAt?.toISOString() ?? null,
    createdOnUtc: createdAt.toISOString(),
    newestBackupOnUtc: newestBackup?.toISOString() ?? null,
  };
}
