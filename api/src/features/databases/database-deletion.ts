import type { OperationKindName } from '@apotheca/contract/operations';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { isIntact } from '../../db/cluster/cluster.ts';
import { allowConnections, allowLogin, endSessions } from '../../db/cluster/database-sessions.ts';
import type { Sessions } from '../../db/cluster/session.ts';
import { isDatabaseBusy } from '../../db/errors/postgres-errors.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError } from '../../errors.ts';
import { type OperationKind, operationKind, type Run } from '../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { dropPossessions, dropWithRole } from './database-dropping.ts';
import { keptUntil, parkDeleted, refuseParkedVersion } from './database-parking.ts';
import { type DatabaseRow, deleteDatabase, findDatabaseById, setDatabaseState } from './databases.repository.ts';
import { getDatabaseById, preparationFor, reopenDatabase } from './databases.service.ts';
import { planDatabaseDeletion } from './deletion-plan.ts';

/** What tells one kind of deletion from another. */
interface DeletionKind {
  name: OperationKindName;
  participle: string;
  /** Refuses a database that this kind does not delete. @throws AppError */
  refuse?(row: DatabaseRow): void;
  /** Ends the operation, in the transaction that deletes the registry's row or parks it. */
  finish: Finish;
}

/** @param parked what its audit entry says about parking */
type Finish = (run: Run, trx: Trx, row: DatabaseRow, parked: { keptUntil?: string }) => Promise<void>;

interface DeletionInput {
  databaseId: string;
  plan?: string | undefined;
}

/**
 * An operation that deletes a database with its role: it is parked, or dropped at once where databases are not parked. The point of no
 * return is then PostgreSQL's DROP DATABASE.
 */
export const deletionKind = ({ refuse, finish, ...kind }: DeletionKind): OperationKind<DeletionInput> =>
  operationKind({
    ...kind,
    input: z.object({ databaseId: z.string(), plan: z.string().optional() }),
    steps: [
      { name: 'Ending sessions', cancellable: true },
      { name: 'Deleting', cancellable: false },
    ],
    async prepare(context, { databaseId, plan }) {
      const row = await getDatabaseById(context.platform, databaseId);
      refuse?.(row);
      if (!keptUntil(context)) await refuseParkedVersion(context.platform, row.id, row.name);
      if (plan !== undefined) refuseChangedPlan(plan, await planDatabaseDeletion(context, row));
      return preparationFor(row);
    },
    run: (run, input) => runDeletion(run, input, finish),
    complete: (run, { databaseId }) => completeDeletion(run, databaseId, (trx, row) => finish(run, trx, row, {})),
    undo: (run, { databaseId }) => undoDeletion(run, databaseId),
  });

/** @throws AppError plan-changed; busy when PostgreSQL refuses because something still uses the database */
async function runDeletion(run: Run, { databaseId, plan }: DeletionInput, finish: Finish): Promise<void> {
  const { context, connection, cluster } = run;
  const row = await getDatabaseById(connection, databaseId);
  if (row.state === 'ready') {
    await run.step(0);
    await allowLogin(cluster, row.roleName, false);
    await endSessions(cluster, row.physicalName);
    // Compared again: from here on no session of the database's own role changes rows.
    if (plan !== undefined) refuseChangedPlan(plan, await planDatabaseDeletion(context, row));
  }
  await run.step(1);
  const until = keptUntil(context);
  // Nothing is kept of a database that PostgreSQL has lost or begun to drop.
  if (until && row.state === 'ready' && (await isIntact(cluster, row))) return park(run, row, until, finish);
  await dropFrom(run, row, 'ready', (trx) => finish(run, trx, row, {}));
}

/** Parks a database whose role is blocked. Until the transaction everything can be undone. */
async function park(run: Run, row: DatabaseRow, until: Date, finish: Finish): Promise<void> {
  const { context, connection, cluster } = run;
  await allowConnections(cluster, row.physicalName, false);
  await endSessions(cluster, row.physicalName);
  await connection.transaction().execute(async (trx) => {
    await parkDeleted(context, trx, row, until);
    await finish(run, trx, row, { keptUntil: until.toISOString() });
  });
}

/**
 * Drops a database for good.
 * @param state in which it is kept until then
 * @param finish ends the operation, in the transaction that deletes the registry's row
 * @throws AppError conflict while rows that it replaced are parked; busy
 */
export async function dropFrom(
  run: Run,
  row: DatabaseRow,
  state: 'ready' | 'parked',
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  await refuseParkedVersion(run.connection, row.id, row.name);
  await setDatabaseState(run.connection, row.id, state, 'deleting');
  await dropAndFinish(run, row, finish);
}

/** Finishes a deletion whose database PostgreSQL has begun to drop. @returns whether it has */
export async function completeDeletion(
  run: Run,
  databaseId: string,
  finish: (trx: Trx, row: DatabaseRow) => Promise<void>,
): Promise<boolean> {
  const row = await findDatabaseById(run.connection, databaseId);
  if (row?.state !== 'deleting' || (await isIntact(run.cluster, row))) return false;
  await dropAndFinish(run, row, (trx) => finish(trx, row));
  return true;
}

async function dropAndFinish(run: Run, row: DatabaseRow, finish: (trx: Trx) => Promise<void>): Promise<void> {
  await drop(run.context, run, row);
  await run.connection.transaction().execute(async (trx) => {
    await deleteDatabase(trx, row.id);
    await finish(trx);
  });
}

/** Drops a database with its role. Connections to it are blocked meanwhile. */
async function drop(context: Context, sessions: Sessions, row: DatabaseRow): Promise<void> {
  const { cluster } = sessions;
  await dropPossessions(context, sessions, row);
  if (await isIntact(cluster, row)) {
    await allowConnections(cluster, row.physicalName, false);
    await endSessions(cluster, row.physicalName);
  }
  await dropWithRole(sessions, row).catch((error: unknown) => {
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

/** Makes an intact database ready again. A database that PostgreSQL has begun to drop stays in state 'deleting'. */
async function undoDeletion({ connection, cluster }: Run, databaseId: string): Promise<void> {
  const row = await findDatabaseById(connection, databaseId);
  if (!row) return;
  if (await isIntact(cluster, row)) {
    // The state comes first: settleDatabases would drop a database that a crash left in state 'deleting'.
    await setDatabaseState(connection, row.id, 'deleting', 'ready');
    await reopenDatabase(cluster, row);
  } else if (row.state === 'ready') {
    await allowLogin(cluster, row.roleName, row.access !== 'closed');
  }
}
