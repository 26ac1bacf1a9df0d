import type { BackupProof } from '@apotheca/contract/backups';
import { z } from 'zod';
import { HOME_SERVER } from '../../../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../../../db/migrate.ts';
import { AppError } from '../../../../errors.ts';
import { operationKind, type Run } from '../../../../operations/operation-kind.ts';
import { rowsInWords } from '../../../../wording.ts';
import { auditDatabase } from '../../database-audit.ts';
import { dropAndUnregister } from '../../database-dropping.ts';
import { getDatabaseById, registerDatabase } from '../../databases.service.ts';
import { describeLeftOut } from '../archive/archive-left-out.ts';
import { tablesOf } from '../archive/damaged-archive.ts';
import { noBackup } from '../backup-deletion.ts';
import { findServerOfBackup } from '../backups.repository.ts';
import { getBackup, toBackup } from '../backups.service.ts';
import { discardRestored, RESTORE_STEPS, restoreArchive, restoreSteps } from '../restore-archive.ts';
import { refuseFullDisk } from './free-disk.ts';
import { findProvedMeanwhile, noteProofBegun, setProof } from './proofs.repository.ts';

const GIVEN_UP_BECAUSE =
  'The server was killed, or crashed, while it was reading this archive: whether it can be restored is not known.';
/** What is wrong with the backup, and not with the machine. */
const FAILURES: readonly string[] = ['damaged-archive', 'not-found'];

const MILLISECONDS = 1_000;

/**
 * Proves that a backup can be restored: does what a restore does, in a scratch database whose id is the operation's, and drops that. It
 * stays in state 'creating', so no list has it, and what a crash leaves of it is settled like any other creation.
 */
export const proveOperation = operationKind({
  name: 'prove',
  participle: 'proved',
  input: z.object({ backupId: z.string() }),
  steps: [...restoreSteps(GIVEN_UP_BECAUSE), { name: 'Removing the scratch database', cancellable: false }],
  async prepare(context, { backupId }, { id }) {
    await context.findTools();
    const backup = await getBackup(context, backupId);
    await refuseFullDisk(context, backup);
    return {
      database: { id: backupId, name: backup.databaseName },
      claims: [id],
      sizeBytes: backup.sizeBytes,
      async register(trx) {
        const meanwhile = await findProvedMeanwhile(trx);
        if (meanwhile !== undefined) {
          const message = `The backup of ${meanwhile} is being proved, and one is proved at a time. Please try again when that has ended.`;
          throw new AppError('busy', { message });
        }
        if (!(await noteProofBegun(trx, backupId, context.now()))) throw noBackup();
        const scratch = { id, name: id, tenantId: null, copiedFrom: null, schemaVersion: newestTenantSchemaVersion() };
        // Where its disk was looked at, whatever the state of the server.
        const serverId = (await findServerOfBackup(trx, backup)) ?? HOME_SERVER;
        await registerDatabase(context, trx, { ...scratch, serverId });
      },
    };
  },
  async run(run, { backupId }) {
    const { context, connection, operationId } = run;
    const backup = await getBackup({ platform: connection }, backupId);
    const scratch = await getDatabaseById(connection, operationId);
    const began = performance.now();
    const restored = await restoreArchive(run, scratch, backup).catch(async (error: unknown) => {
      await noteFailure(run, backupId, backup.databaseName, error);
      throw error;
    });
    const restoreMs = Math.round(performance.now() - began);
    await run.step(RESTORE_STEPS);
    await dropAndUnregister(run, scratch, async (trx) => {
      const { rows, leftOut, comparedWith } = restored;
      const proof: BackupProof = {
        result: 'proved',
        endedOnUtc: context.now().toISOString(),
        restoreMs,
        comparedWith,
        reason: '',
        tables: [],
      };
      await setProof(trx, backupId, proof);
      const seconds = (restoreMs / MILLISECONDS).toFixed(1);
      await run.succeed(trx, {
        message: `Success! The backup of ${backup.databaseName} can be restored: ${rowsInWords(rows)} in ${seconds} s, ${COMPARED[comparedWith]}.${describeLeftOut(leftOut)}`,
        result: toBackup(await getBackup({ platform: trx }, backupId)),
      });
      const changes = { databaseName: backup.databaseName, restoreMs, comparedWith, rows };
      await auditDatabase(run, trx, 'databases.prove', backupId, {
        ...changes,
        ...(leftOut.length > 0 && { leftOut }),
      });
    });
  },
  undo: discardRestored,
});

const COMPARED = {
  checksums: 'the checksum of each table as at the backup',
  counts: 'the number of rows of each table as at the backup',
  nothing: 'compared with nothing, as the archive does not say what was in it',
} as const;

/** Notes that a backup cannot be restored. It is true whatever becomes of the operation, whose own end says so too. */
async function noteFailure(run: Run, backupId: string, databaseName: string, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || !FAILURES.includes(error.code)) return;
  await run.connection.transaction().execute(async (trx) => {
    await setProof(trx, backupId, {
      result: 'failed',
      endedOnUtc: run.context.now().toISOString(),
      restoreMs: null,
      comparedWith: null,
      reason: error.message,
      tables: tablesOf(error),
    });
    await auditDatabase(run, trx, 'databases.proof-failed', backupId, { databaseName, reason: error.message });
  });
}
