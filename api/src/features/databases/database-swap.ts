import { databaseExists, databaseSize, markAsFinished } from '../../db/cluster/cluster.ts';
import { allowLogin, closeDatabase, endSessions } from '../../db/cluster/database-sessions.ts';
import { grantConnect, renameDatabase, revokeConnect, swapDatabases } from '../../db/cluster/restored-database.ts';
import { type ClusterSession, changeBoth, inClusterTransaction, isAtHome } from '../../db/cluster/session.ts';
import { isMarkedAsSwapped, markAsSwapped, unmarkSwapped } from '../../db/cluster/swap-mark.ts';
import type { Trx } from '../../db/platform.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../plan.ts';
import { dropAndUnregister } from './database-dropping.ts';
import { parkReplaced } from './database-parking.ts';
import { setSize } from './database-sizes.repository.ts';
import { type DatabaseRow, deleteDatabase, setDatabaseState, setSchemaVersion } from './databases.repository.ts';
import { grantRights, reopenDatabase, reopenUnclaimed } from './databases.service.ts';
import { createLoginRole } from './logins/logins.service.ts';

/**
 * Refuses to replace a database that has changed since its plan was confirmed, once no session can change its rows any more. Undoing opens it.
 * Of one that PostgreSQL has lost there is nothing to lose.
 * @param plan digest of the confirmed plan; absent: any will do
 * @throws AppError plan-changed
 */
export async function refuseChangedTarget(
  { cluster }: Run,
  target: DatabaseRow,
  plan: string | undefined,
  look: () => Promise<{ digest: string; databaseName: string }>,
): Promise<void> {
  if (plan === undefined || !(await databaseExists(cluster, target.physicalName))) return;
  await allowLogin(cluster, target.roleName, false);
  await endSessions(cluster, target.physicalName);
  refuseChangedPlan(plan, await look());
}

/**
 * Replaces a database by one that was built beside it, in state 'creating'. Their physical names are swapped, so the target keeps its
 * id, role, names and connection string. A failure leaves both closed: undoing opens the target. One that PostgreSQL has lost, perhaps with its
 * role, is replaced, too.
 * @param until parks the old rows until then; undefined: they are dropped
 * @param finish ends the operation, in the transaction that changes the registry
 */
export async function swapIn(
  run: Run,
  target: DatabaseRow,
  built: DatabaseRow,
  until: Date | undefined,
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { context, cluster } = run;
  if (!(await databaseExists(cluster, target.physicalName))) return replaceLostTarget(run, target, built, finish);
  await grantConnect(cluster, built.physicalName, target.roleName);
  await grantRights(context, { ...target, physicalName: built.physicalName });
  const sizeBytes = await databaseSize(cluster, built.physicalName);
  await closeDatabase(cluster, built.physicalName);
  await closeDatabase(cluster, target.physicalName);
  await swapAndOpen(
    run,
    { target, other: built },
    async (trx) => {
      // The built database's name now belongs to the old rows. With a right there, the role could not be dropped.
      await revokeConnect(trx, built.physicalName, target.roleName);
      await markAsFinished(trx, target.physicalName);
    },
    async (trx) => {
      if (until) await parkReplaced(context, trx, { target, databaseId: built.id, keptUntil: until });
      else await setDatabaseState(trx, built.id, 'creating', 'deleting');
      await setSchemaVersion(trx, target.id, built.schemaVersion);
      await setSize(trx, target.id, { sizeBytes, measuredAt: context.now() });
      await finish(trx);
    },
  );
  if (!until) await dropAndUnregister(run, built, async () => {});
}

async function replaceLostTarget(
  run: Run,
  target: DatabaseRow,
  built: DatabaseRow,
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { context, cluster } = run;
  await createLoginRole(context, run, { ...target, physicalName: built.physicalName });
  const sizeBytes = await databaseSize(cluster, built.physicalName);
  await closeDatabase(cluster, built.physicalName);
  await replaceLost(run, { target, other: built }, async (trx) => {
    await deleteDatabase(trx, built.id);
    await setSchemaVersion(trx, target.id, built.schemaVersion);
    await setSize(trx, target.id, { sizeBytes, measuredAt: context.now() });
    await finish(trx);
  });
}

/** Opens a database again that was not replaced after all, if PostgreSQL has it. @param target undefined: it is gone */
export async function reopenKept({ cluster }: Run, target: DatabaseRow | undefined): Promise<void> {
  if (target?.state !== 'ready' || !(await databaseExists(cluster, target.physicalName))) return;
  await reopenDatabase(cluster, target);
}

/** A database that keeps its name, and the one that changes places with it. */
interface Swapped {
  target: DatabaseRow;
  other: DatabaseRow;
}

/**
 * Swaps the physical names of two databases without sessions, with the registry, and opens the target. On the control database's own
 * server that is one transaction. Elsewhere the swap is marked, and nobody gets in before the registry knows: until then
 * {@link takeBackSwap} can undo it without losing a row.
 */
export async function swapAndOpen(
  run: Run,
  { target, other }: Swapped,
  onCluster: (cluster: ClusterSession) => Promise<void>,
  onRegistry: (trx: Trx) => Promise<void>,
): Promise<void> {
  const isHome = isAtHome(run);
  await changeBoth(
    run,
    async (cluster) => {
      await swapDatabases(cluster, target.physicalName, other.physicalName);
      await onCluster(cluster);
      await (isHome ? reopenDatabase(cluster, target) : markAsSwapped(cluster, other.physicalName, run.operationId));
    },
    onRegistry,
  );
  if (isHome) return;
  await unmarkSwapped(run.cluster, other.physicalName);
  // After a crash, settling does it.
  await reopenUnclaimed(run.context, target.id);
}

/**
 * Gives a database without sessions the name of one that PostgreSQL has lost, with the registry, and opens it. Elsewhere as {@link swapAndOpen}:
 * nobody gets in before the registry knows, and {@link takeBackSwap} can undo it.
 */
export async function replaceLost(
  run: Run,
  { target, other }: Swapped,
  onRegistry: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { physicalName } = target;
  const isHome = isAtHome(run);
  await changeBoth(
    run,
    async (cluster) => {
      await renameDatabase(cluster, other.physicalName, physicalName);
      await markAsFinished(cluster, physicalName);
      await (isHome ? reopenDatabase(cluster, target) : markAsSwapped(cluster, physicalName, run.operationId));
    },
    onRegistry,
  );
  if (isHome) return;
  await unmarkSwapped(run.cluster, physicalName);
  await reopenUnclaimed(run.context, target.id);
}

/** Takes a swap back that an earlier run of the operation has made, and that the registry does not know of. */
export async function takeBackSwap(run: Run, { target, other }: Swapped): Promise<void> {
  const { cluster, operationId } = run;
  if (isAtHome(run)) return;
  if (await isMarkedAsSwapped(cluster, target.physicalName, operationId)) {
    await inClusterTransaction(cluster, async (trx) => {
      await renameDatabase(trx, target.physicalName, other.physicalName);
      await unmarkSwapped(trx, other.physicalName);
    });
    return;
  }
  if (!(await isMarkedAsSwapped(cluster, other.physicalName, operationId))) return;
  await inClusterTransaction(cluster, async (trx) => {
    await swapDatabases(trx, target.physicalName, other.physicalName);
    await unmarkSwapped(trx, target.physicalName);
    await grantConnect(trx, target.physicalName, target.roleName);
  });
}
