import type { DatabaseDetails, DatabaseSize } from '@apotheca/contract/databases';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type { Context } from '../../context.ts';
import { databaseSize } from '../../db/cluster/cluster.ts';
import { countSessions } from '../../db/cluster/database-sessions.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { databasesList, getDatabaseSummary } from './database-list.repository.ts';
import { listSizes } from './database-sizes.repository.ts';
import { getDatabaseByName } from './databases.service.ts';
import { refuseDatabaseOfTenant } from './delete.operation.ts';
import { type LossPlan, planDatabaseDeletion } from './deletion-plan.ts';
import { countReadableTables, countRejectedRows, getSchemaVersion } from './tenant-database/counts.repository.ts';

/** All databases. */
export const listDatabases = () => databasesList(newestTenantSchemaVersion());

/** Size, tables, connections and schema version of a database. @throws AppError not-found */
export async function getDatabaseDetails(context: Context, name: string): Promise<DatabaseDetails> {
  const row = await getDatabaseByName(context, name);
  const { serverId, physicalName, roleName } = row;
  const { platform: cluster } = await context.clusters.of(serverId);
  // Counted first, because reading the database opens a session.
  const connections = await countSessions(cluster, physicalName);
  const inside = await context.tenants.with(row, async (client) => {
    const { counted: tables, uncounted: unreadableTables } = await countReadableTables(client, TENANT_TABLE_NAMES);
    const schemaVersion = await getSchemaVersion(client);
    return { schemaVersion, tables, unreadableTables, rejectedRows: await countRejectedRows(client) };
  });
  const sizeBytes = await databaseSize(cluster, physicalName);
  return {
    ...(await getDatabaseSummary(context.platform, row.id, context.now())),
    physicalName,
    roleName,
    sizeBytes,
    connections,
    ...inside,
  };
}

/** What a database took on disk over time, oldest first. @throws AppError not-found */
export async function getDatabaseSizes(context: Context, name: string): Promise<DatabaseSize[]> {
  return listSizes(context.platform, (await getDatabaseByName(context, name)).id);
}

/** What deleting a clone would destroy. @throws AppError not-found; conflict for the database of a tenant */
export async function planDeletion(context: Context, name: string): Promise<LossPlan> {
  const row = await getDatabaseByName(context, name);
  refuseDatabaseOfTenant(row);
  return planDatabaseDeletion(context, row);
}
