import { z } from 'zod';
import { operationKind } from '../../../operations/operation-kind.ts';
import { auditDatabase } from '../database-audit.ts';
import { getDatabaseById, measureDatabase } from '../databases.service.ts';
import { sealArchive } from './archive/archive-seal.ts';
import { signManifest } from './archive/archive-signature.ts';
import { createDraft, finishDraft } from './archive/archive-store.ts';
import { discardBackup, tidyArchives } from './backup-deletion.ts';
import { insertBackup, setBackupReady } from './backups.repository.ts';
import { getBackup, toBackup } from './backups.service.ts';
import { dumpDatabase } from './database-dump.ts';
import { takeRenewal } from './proof/renewal.ts';
import { takeDueBackup } from './schedule/due-backup.ts';
import { planCopies } from './stores/copies.service.ts';

/** Writes an archive of a database while its sessions go on. The backup's id is the operation's. */
export const backupOperation = operationKind({
  name: 'backup',
  participle: 'backed up',
  // `dueOnUtc`: a schedule wants it. `renews`: it is made in place of a backup whose proof failed.
  input: z.object({ databaseId: z.string(), dueOnUtc: z.string().optional(), renews: z.string().optional() }),
  steps: [
    { name: 'Dumping', cancellable: true },
    { name: 'Keeping the archive', cancellable: false },
  ],
  async prepare(context, { databaseId, dueOnUtc, renews }, { id, actor }) {
    await context.findTools();
    const row = await getDatabaseById(context.platform, databaseId);
    const backup = { id, databaseId, databaseName: row.name, createdBy: actor.id, createdAt: context.now() };
    return {
      database: { id: row.id, name: row.name },
      claims: [row.id],
      sizeBytes: row.sizeBytes,
      async register(trx) {
        const dueAt =
          renews === undefined
            ? await takeDueBackup(trx, actor, { databaseId, operationId: id, dueOnUtc })
            : await takeRenewal(trx, actor, renews, context.now());
        await insertBackup(trx, { ...backup, origin: 'made', state: 'writing', dueAt });
      },
    };
  },
  async run(run, { databaseId }) {
    const { context, connection, operationId: id } = run;
    const row = await getDatabaseById(connection, databaseId);
    await run.step(0);
    await tidyArchives(context);
    const draft = await createDraft(context, id);
    const dumped = await dumpDatabase(context, row, draft, run);
    const origin = { backupId: id, createdAt: dumped.takenAt };
    const signed = (sha256: string) => signManifest(context.keys.archives, dumped.manifest, origin, sha256);
    const file = await sealArchive(draft, signed, run.signal);
    await run.step(1);
    await finishDraft(context, id);
    await connection.transaction().execute(async (trx) => {
      await setBackupReady(trx, id, { ...dumped, ...file });
      await planCopies(trx, context, id);
      const backup = toBackup(await getBackup({ platform: trx }, id));
      await run.succeed(trx, { message: `Success! ${row.name} has been backed up.`, result: backup });
      await auditDatabase(run, trx, 'databases.backup', row.id, { name: row.name, backupId: id, ...file });
    });
    await measureDatabase(context, connection, row);
  },
  undo: ({ context, connection, operationId }) => discardBackup(context, connection, operationId),
});
