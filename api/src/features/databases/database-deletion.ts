import type { DeletionPlan } from '@apotheca/contract/plan';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type { Context } from '../../context.ts';
import {
  allowConnections,
  allowLogin,
  countSessions,
  databaseExists,
  databaseSize,
  dropDatabaseAndRole,
  endSessions,
} from '../../db/cluster/cluster.ts';
import { isDatabaseBusy } from '../../db/errors/postgres-errors.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import type { OperationStep, Run } from '../../operations/operation-kind.ts';
import { digestOf, refuseChangedPlan } from '../../plan.ts';
import { rowsInWords } from '../../wording.ts';
import {
  type DatabaseRow,
  deleteDatabase,
  findDatabaseById,
  getDatabaseSummary,
  isIntact,
  setDatabaseState,
} from './databases.repository.ts';
import { dropPossessions, getDatabaseById, openDatabase } from './databases.service.ts';
import { countTables } from './tenant-database/counts.repository.ts';

/** Runs in the transaction that removes the registry's row of a deleted database: it ends the operation. */
type Announce = (trx: Trx, row: DatabaseRow) => Promise<void>;

/** The steps of a deletion, whoever it is for. */
export const DELETION_STEPS: readonly OperationStep[] = [
  { name: 'Ending sessions', cancellable: true },
  { name: 'Deleting', cancellable: false },
];

/**
 * What deleting a database would destroy (DECISIONS §8). The digest covers the database and its row counts, not its sessions: they
 * come and go.
 */
export async function planDatabaseDeletion(context: Context, row: DatabaseRow): Promise<DeletionPlan> {
  // Counted before reading adds a session of its own.
  const connections = await countSessions(context.platform, row.physicalName);
  const { rows, digest } = await countAll(context, row);
  const { newestBackupOnUtc } = await getDatabaseSummary(context.platform, row.id);
  const sizeBytes = await databaseSize(context.platform, row.physicalName);
  return { databaseName: row.name, sizeBytes, rows, connections, newestBackupOnUtc, digest };
}

async function countAll(context: Context, row: DatabaseRow): Promise<{ rows: number; digest: string }> {
  // One that PostgreSQL has lost can still be deleted, or restored.
  const isThere = await databaseExists(context.platform, row.physicalName);
  const tables = isThere
    ? await context.tenants.with(row.physicalName, (client) => countTables(client, TENANT_TABLE_NAMES))
    : [];
  const counts = tables.map(({ name, rows }) => [name, rows]);
  return {
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    digest: digestOf([row.id, counts]),
  };
}

/**
 * The text of a deletion's confirmation.
 * @param subject what is deleted, as the sentence begins: 'Deleting ACME'
 */
export function describeDeletion(subject: string, { rows, connections, newestBackupOnUtc }: DeletionPlan): string {
  const backup = newestBackupOnUtc ? 'The newest backup stays.' : 'There is no backup of it.';
  return `${subject} permanently erases ${rowsInWords(rows)} with the database and its role.${describeSessions(connections)} ${backup}`;
}

/** A sentence, with a blank before it, about the sessions that an operation will end; nothing where there are none. */
export function describeSessions(connections: number): string {
  if (connections === 0) return '';
  return ` ${connections} open ${connections === 1 ? 'session' : 'sessions'} will be ended.`;
}

/**
 * Deletes a database with its role, for good. Once PostgreSQL has begun to drop it there is no way back.
 * @param plan digest of the plan that was confirmed: it is compared with the rows once more when the database's own role can no longer sign in
 * @throws AppError plan-changed; busy when PostgreSQL refuses because something still uses the database
 */
export async function runDeletion(
  run: Run,
  databaseId: string,
  plan: string | undefined,
  announce: Announce,
): Promise<void> {
  const { context, connection } = run;
  const row = await getDatabaseById(connection, databaseId);
  if (row.state === 'ready') {
    await run.step(0);
    await allowLogin(connection, row.roleName, false);
    await endSessions(connection, row.physicalName);
    if (plan !== undefined) refuseChangedPlan(plan, await planDatabaseDeletion(context, row));
  }
  await run.step(1);
  await setDatabaseState(connection, row.id, 'ready', 'deleting');
  await dropAndRemove(run, row, announce);
}

/** Finishes a deletion whose database PostgreSQL has begun to drop. @returns whether it has */
export async function completeDeletion(run: Run, databaseId: string, announce: Announce): Promise<boolean> {
  const row = await findDatabaseById(run.connection, databaseId);
  if (row?.state !== 'deleting' || (await isIntact(run.connection, row))) return false;
  await dropAndRemove(run, row, announce);
  return true;
}

async function dropAndRemove({ context, connection }: Run, row: DatabaseRow, announce: Announce): Promise<void> {
  await drop(context, connection, row);
  await connection.transaction().execute(async (trx) => {
    await deleteDatabase(trx, row.id);
    await announce(trx, row);
  });
}

/** Drops a database, which nobody can come back into meanwhile, with its role. */
async function drop(context: Context, connection: Platform, row: DatabaseRow): Promise<void> {
  await dropPossessions(context, connection, row);
  if (await isIntact(connection, row)) {
    await allowConnections(connection, row.physicalName, false);
    await endSessions(connection, row.physicalName);
  }
  await dropDatabaseAndRole(connection, row).catch((error: unknown) => {
    throw isDatabaseBusy(error) ? stillUsed(row, error) : error;
  });
}

const stillUsed = ({ name }: DatabaseRow, cause: unknown): AppError =>
  new AppError(
    'busy',
    {
      message: `${name} was not deleted: PostgreSQL says that a session, a subscription, a replication slot or a prepared transaction still uses it.`,
    },
    { cause },
  );

/** Makes a database of which nothing is deleted what it was. One that PostgreSQL has begun to drop stays in state 'deleting'. */
export async function undoDeletion({ connection }: Run, databaseId: string): Promise<void> {
  const row = await findDatabaseById(connection, databaseId);
  if (!row) return;
  if (await isIntact(connection, row)) {
    // First: what is left in state 'deleting' goes.
    await setDatabaseState(connection, row.id, 'deleting', 'ready');
    await openDatabase(connection, row);
  } else if (row.state === 'ready') {
    await allowLogin(connection, row.roleName, true);
  }
}
