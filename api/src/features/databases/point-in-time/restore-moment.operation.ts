import { z } from 'zod';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { operationKind } from '../../../operations/operation-kind.ts';
import { momentInWords } from '../../../wording.ts';
import { readContents } from '../backups/archive/archive.ts';
import { describeLeftOut } from '../backups/archive/archive-left-out.ts';
import { removeEntryList } from '../backups/archive/archive-store.ts';
import { finishAsNew } from '../backups/restore.operation.ts';
import { loadArchive } from '../backups/restore-archive.ts';
import { divideManifest } from '../backups/restore-contents.ts';
import { auditDatabase } from '../database-audit.ts';
import { dropAndUnregister } from '../database-dropping.ts';
import { refuseDuplicateName, refuseUnusableName } from '../database-names.ts';
import { findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, registerDatabase } from '../databases.service.ts';
import { dumpMoment } from './moment-dump.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';
import { refuseOtherMoments, refuseOtherServer } from './wal-archive.service.ts';

/**
 * Restores a database as it was at a moment into a new one, whose id is the operation's. No tenant owns it, and the database itself goes
 * on.
 */
export const restoreMomentOperation = operationKind({
  name: 'restore-moment',
  participle: 'restored to a point in time',
  input: z.object({ databaseId: z.string(), moment: z.string(), newName: z.string() }),
  steps: [
    { name: 'Restoring the files', cancellable: true },
    { name: 'Replaying changes', cancellable: true },
    { name: 'Dumping', cancellable: true },
    { name: 'Loading', cancellable: true },
    { name: 'Building indexes', cancellable: true },
    { name: 'Verifying', cancellable: true },
    { name: 'Making it available', cancellable: false },
  ],
  async prepare(context, { databaseId, moment, newName }, { id }) {
    await context.findTools();
    await refuseOtherMoments(context, new Date(moment));
    const source = await getDatabaseById(context.platform, databaseId);
    refuseOtherServer(source);
    await refuseUnusableName(context, newName);
    const row = { id, name: newName, tenantId: null, copiedFrom: source.id, serverId: source.serverId };
    return {
      database: { id, name: newName },
      claims: [id],
      sizeBytes: source.sizeBytes,
      register: (trx) =>
        registerDatabase(context, trx, { ...row, schemaVersion: newestTenantSchemaVersion() }).catch(
          refuseDuplicateName,
        ),
    };
  },
  async run(run, { databaseId, moment: at }) {
    const { context, connection, operationId } = run;
    const row = await getDatabaseById(connection, operationId);
    const source = await getDatabaseById(connection, databaseId);
    const moment = new Date(at);
    const folder = await makeScratchFolder(context, operationId);
    const { manifest, rowCounts } = await dumpMoment(run, { source, moment }, folder);
    const contents = await readContents(await context.findTools(), folder.archivePath, run.signal);
    const { additional, leftOut } = await divideManifest(run.server, manifest);
    const archive = { ...contents, path: folder.archivePath, rowCounts, manifest, additional };
    const rows = await loadArchive(run, row, archive, 3);
    await folder.remove();
    await run.step(6);
    await finishAsNew(run, row, async (trx) => {
      await run.succeed(trx, {
        message: `Success! ${row.name} is ${source.name} as it was at ${momentInWords(moment)}.${describeLeftOut(leftOut)}`,
        result: { id: row.id, databaseName: row.name, rows },
      });
      const changes = { name: row.name, source: source.name, moment: at, rows };
      await auditDatabase(run, trx, 'databases.restore-moment', row.id, changes);
    });
  },
  async undo(run) {
    const { context, connection, operationId } = run;
    await removeEntryList(context, operationId);
    await removeScratchFolder(context, operationId);
    const row = await findDatabaseById(connection, operationId);
    if (row) await dropAndUnregister(run, row, async () => {});
  },
});
