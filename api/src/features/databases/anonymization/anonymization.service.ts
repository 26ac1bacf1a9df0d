import type { AnonymizationPlan } from '@apotheca/contract/anonymization';
import type { Context } from '../../../context.ts';
import { countSessions } from '../../../db/cluster/database-sessions.ts';
import { counted } from '../../../wording.ts';
import { getDatabaseSummary } from '../database-list.repository.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { refuseOldSchema } from '../tenant-database/tenant-change.ts';
import { countTarget, readTarget } from './anonymization-target.ts';

/** What anonymizing would do, and how many rows of earlier purges it would drop. */
export interface FullAnonymizationPlan extends AnonymizationPlan {
  keptRows: number;
}

/** What anonymizing a database would do. @throws AppError conflict naming the columns that have no rule, or for an old schema */
export async function planAnonymization(context: Context, row: DatabaseRow): Promise<FullAnonymizationPlan> {
  refuseOldSchema(row);
  // Counted first, because reading the database opens a session.
  const { platform: cluster } = await context.clusters.of(row.serverId);
  const connections = await countSessions(cluster, row.physicalName);
  const state = await context.tenants.with(row, async (client) => countTarget(row, client, await readTarget(client)));
  return addRegistryFacts(context, row, { ...state, connections });
}

/** Completes a plan with what the registry knows. */
export async function addRegistryFacts(
  context: Context,
  row: DatabaseRow,
  plan: Omit<FullAnonymizationPlan, 'newestBackupOnUtc'>,
): Promise<FullAnonymizationPlan> {
  const { newestBackupOnUtc } = await getDatabaseSummary(context.platform, row.id, context.now());
  return { ...plan, newestBackupOnUtc };
}

/** The text of the confirmation. */
export function describeAnonymization(plan: FullAnonymizationPlan): string {
  const { databaseName, columns, rows, keptRows, connections, newestBackupOnUtc } = plan;
  const tables = new Set(columns.map(({ table }) => table)).size;
  const sentences = [
    `Anonymizing ${databaseName} replaces what identifies people in ${counted(columns.length, 'column')} of ${counted(tables, 'table')} with ${counted(rows, 'row')}.`,
    'Equal values become equal made-up ones, dates keep their year and order, free text and JSON are removed.',
  ];
  if (keptRows > 0)
    sentences.push(`${counted(keptRows, 'row')} deleted from tables earlier can then no longer be put back.`);
  if (connections > 0) sentences.push(`${counted(connections, 'session')} open: what they write waits meanwhile.`);
  sentences.push(
    newestBackupOnUtc
      ? 'This cannot be undone except by restoring a backup.'
      : 'This cannot be undone except by restoring a backup, and there is none.',
  );
  return sentences.join(' ');
}
