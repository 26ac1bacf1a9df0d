import { z } from 'zod';
import { operationKind } from '../../../operations/operation-kind.ts';
import { auditDatabase } from '../database-audit.ts';
import { prepareClone, undoCopy } from '../database-copy.ts';
import { getDatabaseById } from '../databases.service.ts';
import { createLoginRole } from '../logins/logins.service.ts';
import { makeReady } from '../ready-database.ts';
import { refuseOldSchema } from '../tenant-database/tenant-change.ts';
import { insertAnonymizedClone } from './anonymized-clones.repository.ts';
import { ANONYMIZED_COPY_STEPS, buildAnonymizedCopy, describeAnonymizedCopy, OPENING } from './anonymized-copy.ts';

/** Copies a database and anonymizes the copy before anybody can connect to it. The copy's id is the operation's. */
export const cloneAnonymizedOperation = operationKind({
  name: 'clone-anonymized',
  participle: 'cloned anonymized',
  input: z.object({ copyFrom: z.string(), databaseName: z.string() }),
  steps: ANONYMIZED_COPY_STEPS,
  prepare: (context, input, { id }) => prepareClone(context, input, id, refuseOldSchema),
  async run(run, { databaseName: name }) {
    const { context, connection, operationId: id } = run;
    const copy = await getDatabaseById(connection, id);
    const source = await getDatabaseById(connection, copy.copiedFrom ?? '');
    const copiedAt = context.now();
    const report = await buildAnonymizedCopy(run, copy, source);
    await run.step(OPENING);
    await createLoginRole(context, run, copy);
    await makeReady(context, run, copy, async (trx) => {
      await insertAnonymizedClone(trx, id, copiedAt);
      await run.succeed(trx, {
        message: `Success! Database ${name} has been created as an anonymized copy of ${source.name}: ${describeAnonymizedCopy(report)}`,
        result: { id, databaseName: name, ...report },
      });
      const { rows, leftOut } = report;
      await auditDatabase(run, trx, 'databases.clone-anonymized', id, {
        name,
        copyFrom: source.name,
        rows,
        ...(leftOut.length > 0 && { leftOut }),
      });
    });
  },
  undo: (run) => undoCopy(run),
});
