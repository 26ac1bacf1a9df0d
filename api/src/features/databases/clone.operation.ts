import { z } from 'zod';
import { operationKind } from '../../operations/operation-kind.ts';
import { auditDatabase } from './database-audit.ts';
import { COPY_STEPS, registerCopy, runCopy, undoCopy } from './database-copy.ts';
import { getDatabaseById, getDatabaseByName, refuseUnusableName } from './databases.service.ts';

/** Copies a database with all its rows to one that no tenant owns. The copy's id is the operation's. */
export const cloneOperation = operationKind({
  name: 'clone',
  participle: 'cloned',
  permissions: ['databases.write'],
  input: z.object({ copyFrom: z.string(), databaseName: z.string() }),
  steps: COPY_STEPS,
  async prepare(context, { copyFrom, databaseName }, { id }) {
    const source = await getDatabaseByName(context, copyFrom);
    await refuseUnusableName(context, databaseName);
    return {
      database: { id, name: databaseName },
      claims: [id, source.id],
      sizeBytes: source.sizeBytes,
      register: (trx) => registerCopy(context, trx, { id, name: databaseName, tenantId: null, source }),
    };
  },
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
