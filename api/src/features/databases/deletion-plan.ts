import type { DeletionPlan } from '@apotheca/contract/plan';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type { Context } from '../../context.ts';
import { databaseExists, databaseSize } from '../../db/cluster/cluster.ts';
import { countSessions } from '../../db/cluster/database-sessions.ts';
import type { ClusterSession } from '../../db/cluster/session.ts';
import { digestOf } from '../../plan.ts';
import { counted, rowsInWords } from '../../wording.ts';
import { getDatabaseSummary } from './database-list.repository.ts';
import { describeKeeping } from './database-parking.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { countTables, totalRows } from './tenant-database/counts.repository.ts';

/**
 * What deleting a database would destroy (DECISIONS §8). The digest covers the database and its row counts. It leaves out sessions:
 * they come and go.
 */
export async function planDatabaseDeletion(context: Context, row: DatabaseRow): Promise<DeletionPlan> {
  const { platform: cluster } = await context.clusters.of(row.serverId);
  // Counted first, because countRows opens a session.
  const connections = await countSessions(cluster, row.physicalName);
  const { rows, digest } = await countRows(context, cluster, row);
  const { newestBackupOnUtc } = await getDatabaseSummary(context.platform, row.id);
  const sizeBytes = await databaseSize(cluster, row.physicalName);
  return { databaseName: row.name, sizeBytes, rows, connections, newestBackupOnUtc, digest };
}

async function countRows(
  context: Context,
  cluster: ClusterSession,
  row: DatabaseRow,
): Promise<{ rows: number; digest: string }> {
  // A database that PostgreSQL has lost can still be deleted or replaced by a restore.
  const exists = await databaseExists(cluster, row.physicalName);
  const tables = exists ? await context.tenants.with(row, (client) => countTables(client, TENANT_TABLE_NAMES)) : [];
  const counts = tables.map(({ name, rows }) => [name, rows]);
  return { rows: totalRows(tables), digest: digestOf([row.id, counts]) };
}

/**
 * The text of a deletion's confirmation, and until when the deletion can be undone.
 * @param subject the beginning of the sentence: 'Deleting ACME'
 */
export function describeDeletion(
  context: Context,
  subject: string,
  { rows, connections, newestBackupOnUtc }: DeletionPlan,
): string {
  const backup = newestBackupOnUtc ? 'The newest backup stays.' : 'There is no backup of it.';
  return `${subject} permanently erases ${rowsInWords(rows)} with the database and its role.${describeSessions(connections)} ${backup}${describeKeeping(context, 'It')}`;
}

/** A sentence about the sessions that an operation will end, with a space before it. Empty when there are none. */
export function describeSessions(connections: number): string {
  return connections === 0 ? '' : ` ${counted(connections, 'open session')} will be ended.`;
}
