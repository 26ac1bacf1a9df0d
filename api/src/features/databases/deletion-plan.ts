import type { DeletionPlan } from '@apotheca/contract/plan';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type { Context } from '../../context.ts';
import { databaseExists, databaseSize } from '../../db/cluster/cluster.ts';
import { countSessions } from '../../db/cluster/database-sessions.ts';
import type { ClusterSession } from '../../db/cluster/session.ts';
import { isUnreadable } from '../../db/errors/postgres-errors.ts';
import { digestOf } from '../../plan.ts';
import { counted, inWords, rowsInWords } from '../../wording.ts';
import { getDatabaseSummary } from './database-list.repository.ts';
import { describeKeeping } from './database-parking.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { countReadableTables, type ReadableTables, totalRows } from './tenant-database/counts.repository.ts';

/** What is lost with a database, also with one that is damaged. */
export interface LossPlan extends DeletionPlan {
  /** Tables that are missing or damaged. Their rows are not among those that were counted. */
  uncounted: string[];
}

/**
 * What deleting a database would destroy (DECISIONS §8). The digest covers the database and its row counts. It leaves out sessions:
 * they come and go.
 */
export async function planDatabaseDeletion(context: Context, row: DatabaseRow): Promise<LossPlan> {
  const { platform: cluster } = await context.clusters.of(row.serverId);
  // Counted first, because countRows opens a session.
  const connections = await countSessions(cluster, row.physicalName);
  const { rows, uncounted, digest } = await countRows(context, cluster, row);
  const { newestBackupOnUtc } = await getDatabaseSummary(context.platform, row.id, context.now());
  const sizeBytes = await databaseSize(cluster, row.physicalName);
  return { databaseName: row.name, sizeBytes, rows, uncounted, connections, newestBackupOnUtc, digest };
}

async function countRows(
  context: Context,
  cluster: ClusterSession,
  row: DatabaseRow,
): Promise<{ rows: number; uncounted: string[]; digest: string }> {
  // A database that PostgreSQL has lost, or of which tables are missing or damaged, can still be deleted or replaced by a restore.
  const exists = await databaseExists(cluster, row.physicalName);
  const { counted, uncounted } = exists ? await countInside(context, row) : { counted: [], uncounted: [] };
  const counts = [...counted.map(({ name, rows }) => [name, rows]), ...uncounted.map((name) => [name, null])];
  return { rows: totalRows(counted), uncounted, digest: digestOf([row.id, counts]) };
}

async function countInside(context: Context, row: DatabaseRow): Promise<ReadableTables> {
  try {
    return await context.tenants.with(row, (client) => countReadableTables(client, TENANT_TABLE_NAMES));
  } catch (error) {
    // Not even a session begins.
    if (isUnreadable(error)) return { counted: [], uncounted: [...TENANT_TABLE_NAMES] };
    throw error;
  }
}

/** A sentence about tables whose rows were not counted, with a space before it. Empty when there are none. */
export function describeUncounted(tables: readonly string[]): string {
  return tables.length === 0 ? '' : ` Missing or damaged, and not counted: ${inWords(tables)}.`;
}

/**
 * The text of a deletion's confirmation, and until when the deletion can be undone.
 * @param subject the beginning of the sentence: 'Deleting ACME'
 */
export function describeDeletion(
  context: Context,
  subject: string,
  { rows, uncounted, connections, newestBackupOnUtc }: LossPlan,
): string {
  const backup = newestBackupOnUtc ? 'Its backups stay.' : 'There is no backup of it.';
  return `${subject} erases ${rowsInWords(rows)} with the database and its role.${describeUncounted(uncounted)}${describeSessions(connections)} ${backup}${describeKeeping(context, 'It')}`;
}

/** A sentence about the sessions that an operation will end, with a space before it. Empty when there are none. */
export function describeSessions(connections: number): string {
  return connections === 0 ? '' : ` ${counted(connections, 'open session')} will be ended.`;
}
