import { z } from 'zod';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { COPY_STEPS, prepareClone, runCopy, undoCopy } from './database-copy.ts';
import { getDatabaseById } from './databases.service.ts';

/** Copies a database with all its rows to one that no tenant owns. The copy's id is the operation's. */
export const cloneOperation = operationKind({
  name: 'clone',
  participle: 'cloned',
  input: z.object({ copyFrom: z.string(), databaseName: z.string() }),
  steps: COPY_STEPS,
  prepare: (context, input, { id }) => prepareClone(context, input, id),
  run: (run, { databaseName: name }) =>
    runCopy(run, async (trx, { id, copiedFrom }) => {
      const source = await getDatabaseById(trx, copiedFrom ?? '');
      await run.succeed(trx, {
        message: `Success! Database ${name} has been created as a copy of ${source.name}.`,
        result: { id, databaseName: name },
      });
      await auditDatabase(run, trx, 'databases.clone', id, { name, copyFrom: source.name });
    }),
  undo: (run) => undoCopy(run),
});
