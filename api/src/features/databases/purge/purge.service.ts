import type { Purge, PurgePlan } from '@apotheca/contract/purges';
import type { Context } from '../../../context.ts';
import { countSessions } from '../../../db/cluster/database-sessions.ts';
import { beginningOf, inWords, rowsInWords, tablesInWords } from '../../../wording.ts';
import { getDatabaseSummary } from '../database-list.repository.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { totalRows } from '../tenant-database/counts.repository.ts';
import { refuseOldSchema } from '../tenant-database/tenant-change.ts';
import { KEPT_DAYS, type KeptTable, listKeptTables, rowsKeptUntil } from './kept-rows.repository.ts';
import type { Partition } from './purge-plan.ts';
import { countTarget, findPurgeTarget, type TargetPlan } from './purge-target.ts';

/** What purging tables would do. @throws AppError not-found; conflict when its schema is too old */
export async function planPurge(context: Context, name: string, tables: readonly string[]): Promise<PurgePlan> {
  return planPurgeOf(context, await getDatabaseByName(context, name), tables);
}

/** As {@link planPurge}, of a registered database. */
export async function planPurgeOf(context: Context, row: DatabaseRow, tables: readonly string[]): Promise<PurgePlan> {
  refuseOldSchema(row);
  // Counted first, because reading the database opens a session.
  const { platform: cluster } = await context.clusters.of(row.serverId);
  const connections = await countSessions(cluster, row.physicalName);
  const { partition, digest } = await context.tenants.with(row, async (client) =>
    countTarget(client, row, await findPurgeTarget(client, tables)),
  );
  return addRegistryFacts(context, row, { partition, digest, connections });
}

/** Completes the plan of the tables with what the registry knows. */
export async function addRegistryFacts(
  context: Context,
  row: DatabaseRow,
  { partition, digest, connections }: Pick<TargetPlan, 'partition' | 'digest'> & { connections: number },
): Promise<PurgePlan> {
  const { newestBackupOnUtc } = await getDatabaseSummary(context.platform, row.id, context.now());
  const rows = totalRows(partition.tables);
  return { databaseName: row.name, rows, connections, newestBackupOnUtc, digest, ...partition };
}

/** The text of a purge's confirmation. */
export function describePurge(plan: PurgePlan): string {
  const { databaseName, tables, rows, connections } = plan;
  if (tables.length === 0) return `Nothing of ${databaseName} can be emptied.${describeSkipped(plan)}`;
  const emptying = `Emptying ${tablesInWords(tables.length)} of ${databaseName} removes ${rowsInWords(rows)}; new rows are numbered from 1 again.`;
  const sessions = connections > 0 ? ` ${connections} ${connections === 1 ? 'session is' : 'sessions are'} open.` : '';
  return `${emptying}${describeSkipped(plan)}${sessions} The rows can be put back for ${KEPT_DAYS} days.`;
}

/** Sentences about requested tables that are not emptied, with a space before each. Empty when all are emptied. */
export function describeSkipped({ invalidTables, tablesNotDeleted }: Omit<Partition, 'tables'>): string {
  const names = inWords(invalidTables.map((name) => `'${beginningOf(name)}'`));
  const invalid = `${names} ${invalidTables.length === 1 ? 'is no table' : 'are no tables'}.`;
  const reasons = tablesNotDeleted.map(({ reason }) => `${reason}.`);
  return [...reasons, ...(invalidTables.length > 0 ? [invalid] : [])].map((sentence) => ` ${sentence}`).join('');
}

/** The purges of a database with rows that can still be put back, newest first. @throws AppError not-found, conflict */
export async function listPurges(context: Context, name: string): Promise<Purge[]> {
  const row = await getDatabaseByName(context, name);
  refuseOldSchema(row);
  const kept = await context.tenants.with(row, listKeptTables);
  const purges = Map.groupBy(kept, ({ operationId }) => operationId);
  return [...purges].flatMap(([operationId, tables]) => summaryOf(operationId, tables));
}

function summaryOf(operationId: string, tables: readonly KeptTable[]): Purge[] {
  const [first] = tables;
  if (!first || tables.every(({ isPutBack }) => isPutBack)) return [];
  return [
    {
      operationId,
      purgedOnUtc: first.purgedAt.toISOString(),
      keptUntilUtc: rowsKeptUntil(first.purgedAt).toISOString(),
      tables: tables.map(({ name, rows, isPutBack }) => ({ name, rows, putBack: isPutBack })),
    },
  ];
}
