import { allowLogin, closeDatabase, databaseSize, endSessions } from '../../db/cluster/cluster.ts';
import { grantConnect, revokeConnect, swapDatabases } from '../../db/cluster/restored-database.ts';
import type { Trx } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { parkReplaced } from './database-parking.ts';
import { type DatabaseRow, setDatabaseState, setSchemaVersion, setSize } from './databases.repository.ts';
import { dropAndUnregister, grantRights, reopenDatabase } from './databases.service.ts';

/**
 * Refuses to replace a database that has changed since its plan was confirmed, once no session can change its rows any more. Undoing opens it.
 * @param plan digest of the confirmed plan; absent: any will do
 * @throws AppError plan-changed
 */
export async function refuseChangedTarget(
  { connection }: Run,
  target: DatabaseRow,
  plan: string | undefined,
  look: () => Promise<{ digest: string; databaseName: string }>,
): Promise<void> {
  if (plan === undefined) return;
  await allowLogin(connection, target.roleName, false);
  await endSessions(connection, target.physicalName);
  refuseChangedPlan(plan, await look());
}

/**
 * Replaces a database by one that was built beside it, in state 'creating'. One transaction swaps their physical names, so the target
 * keeps its id, role, names and connection string. A failure leaves both closed: undoing opens the target.
 * @param until parks the old rows until then; undefined: they are dropped
 * @param finish ends the operation, in the same transaction
 */
export async function swapIn(
  { context, connection }: Run,
  target: DatabaseRow,
  built: DatabaseRow,
  until: Date | undefined,
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  await grantConnect(connection, built.physicalName, target.roleName);
  await grantRights(context, { ...target, physicalName: built.physicalName });
  const sizeBytes = await databaseSize(connection, built.physicalName);
  await closeDatabase(connection, built.physicalName);
  await closeDatabase(connection, target.physicalName);
  await connection.transaction().execute(async (trx) => {
    await swapDatabases(trx, target.physicalName, built.physicalName);
    // The built database's name now belongs to the old rows. With a right there, the role could not be dropped.
    await revokeConnect(trx, built.physicalName, target.roleName);
    await reopenDatabase(trx, target);
    if (until) await parkReplaced(context, trx, { target, databaseId: built.id, keptUntil: until });
    else await setDatabaseState(trx, built.id, 'creating', 'deleting');
    await setSchemaVersion(trx, target.id, built.schemaVersion);
    await setSize(trx, target.id, { sizeBytes, measuredAt: context.now() });
    await finish(trx);
  });
  if (!until) await dropAndUnregister(connection, built, async () => {});
}
