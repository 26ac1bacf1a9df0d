import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import type { Trx } from '../../../db/platform.ts';
import { operationKind, type Run } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { auditDatabase } from '../database-audit.ts';
import { refuseDuplicateName } from '../database-names.ts';
import { keptUntil } from '../database-parking.ts';
import { refuseChangedTarget, reopenKept, swapIn, takeBackSwap } from '../database-swap.ts';
import { type DatabaseRow, findDatabaseById, findReadyDatabaseByName } from '../databases.repository.ts';
import { getDatabaseById, holdAsFound, registerDatabase } from '../databases.service.ts';
import { createLoginRole } from '../logins/logins.service.ts';
import { makeReady } from '../ready-database.ts';
import { describeLeftOut } from './archive/archive-left-out.ts';
import { noBackup } from './backup-deletion.ts';
import { findServerOfBackup, lockBackup } from './backups.repository.ts';
import { getBackup, getLeftOut } from './backups.service.ts';
import { discardRestored, RESTORE_STEPS, restoreArchive, restoreSteps } from './restore-archive.ts';
import { planReplacement, planRestore, refuseOtherLeftOut, targetDigest, withLeftOut } from './restore-plan.ts';

/** Why the operation is not run again: an archive from elsewhere may crash the server that reads it. */
const GIVEN_UP_BECAUSE =
  'The server was killed, or crashed, while it was reading this archive: nothing was changed, and it does not begin again by itself.';

const input = z.object({
  backupId: z.string(),
  databaseName: z.string(),
  /** The database to replace; null: a new one is made. */
  databaseId: z.string().nullable(),
  plan: z.string().optional(),
});
type RestoreInput = z.infer<typeof input>;

/** The operation's input for restoring a backup under a name. */
export async function restoreInput(
  context: Context,
  { id, databaseName, plan }: { id: string; databaseName: string; plan?: string | undefined },
): Promise<RestoreInput> {
  const target = await findReadyDatabaseByName(context.platform, databaseName);
  return { backupId: id, databaseName, databaseId: target?.id ?? null, plan };
}

/**
 * Restores a backup into a new database, whose id is the operation's. At the end this database is made ready, or replaces an existing one,
 * which stays untouched until then.
 */
export const restoreOperation = operationKind({
  name: 'restore',
  participle: 'restored',
  input,
  steps: [...restoreSteps(GIVEN_UP_BECAUSE), { name: 'Making it available', cancellable: false }],
  async prepare(context, { backupId, databaseName, databaseId, plan }, { id }) {
    await context.findTools();
    const backup = await getBackup(context, backupId);
    const target = databaseId === null ? undefined : await getDatabaseById(context.platform, databaseId);
    const planned = target
      ? { target: await planReplacement(context, backupId, target), serverId: target.serverId }
      : await planRestore(context, backup, databaseName);
    if (plan !== undefined) {
      const leftOut = await getLeftOut(context, backup, { serverId: planned.serverId, limit: 0 });
      refuseChangedPlan(plan, withLeftOut(planned.target, leftOut));
    }
    // One that will replace another is named after its id, as the name is taken. No list shows it.
    const row = { id, name: target ? id : databaseName, tenantId: null, copiedFrom: null };
    return {
      database: target ? { id: target.id, name: target.name } : { id, name: databaseName },
      claims: target ? [id, target.id] : [id],
      sizeBytes: backup.sizeBytes,
      register: async (trx) => {
        if (!(await lockBackup(trx, backupId))) throw noBackup();
        const serverId = target?.serverId ?? (await findServerOfBackup(trx, backup));
        const database = { ...row, schemaVersion: newestTenantSchemaVersion(), serverId };
        await registerDatabase(context, trx, database).catch(refuseDuplicateName);
        if (target) await holdAsFound(trx, target);
      },
    };
  },
  async run(run, asked) {
    const { backupId, databaseId } = asked;
    const { connection, operationId } = run;
    const row = await getDatabaseById(connection, operationId);
    const target = databaseId === null ? undefined : await getDatabaseById(connection, databaseId);
    if (target) await takeBackSwap(run, { target, other: row });
    const backup = await getBackup({ platform: connection }, backupId);
    const { rows, leftOut } = await restoreArchive(run, row, backup, (foreseen) =>
      refuseOtherLeftOut(asked.plan, asked.databaseName, foreseen),
    );
    await run.step(RESTORE_STEPS);
    const result = { id: target?.id ?? row.id, databaseName: target?.name ?? row.name, rows, leftOut };
    const finish = async (trx: Trx) => {
      await run.succeed(trx, {
        message: `Success! ${result.databaseName} has been restored.${describeLeftOut(leftOut)}`,
        result,
      });
      const changes = {
        name: result.databaseName,
        backupId,
        replaced: target !== undefined,
        rows,
        ...(leftOut.length > 0 && { leftOut }),
      };
      await auditDatabase(run, trx, 'databases.restore', result.id, changes);
    };
    await (target ? replaceTarget(run, asked, target, row, finish) : finishAsNew(run, row, finish));
  },
  async undo(run, { databaseId }) {
    const { connection, operationId } = run;
    const target = databaseId === null ? undefined : await findDatabaseById(connection, databaseId);
    const restored = await findDatabaseById(connection, operationId);
    if (target && restored?.state === 'creating') await takeBackSwap(run, { target, other: restored });
    await discardRestored(run);
    await reopenKept(run, target);
  },
});

/** Makes a restored database ready under its own name. */
export async function finishAsNew(run: Run, row: DatabaseRow, finish: (trx: Trx) => Promise<void>): Promise<void> {
  await createLoginRole(run.context, run, row);
  await makeReady(run.context, run, row, finish);
}

/**
 * Replaces a database by a restored one. One transaction swaps their physical names, so the target keeps its id, role, names and
 * connection string. The old rows are parked, or dropped afterwards. A failure leaves both closed: undoing opens the target.
 */
async function replaceTarget(
  run: Run,
  { backupId, plan }: RestoreInput,
  target: DatabaseRow,
  restored: DatabaseRow,
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { context } = run;
  await refuseChangedTarget(run, target, targetDigest(plan), () => planReplacement(context, backupId, target));
  await swapIn(run, target, { ...restored, schemaVersion: newestTenantSchemaVersion() }, keptUntil(context), finish);
}
