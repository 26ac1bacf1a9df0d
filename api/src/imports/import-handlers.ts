import type { Readable } from 'node:stream';
import type { Actor } from '../actor.ts';
import { batchHandlers } from '../batches/batch-handlers.ts';
import { planBatch } from '../batches/batches.service.ts';
import type { Context } from '../context.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import { readAll, readCsv } from './csv-file.ts';
import { importBatch } from './import-batch.ts';
import type { ImportSubject } from './import-subject.ts';

/** What answers the calls of contract/imports `importRoutes` for a subject. */
export function importHandlers(context: Context, subject: ImportSubject, kind: OperationKind<{ batchId: string }>) {
  const batch = importBatch(subject);
  return {
    plan: async ({ actor, upload, recheck }: { actor: Actor; upload: Readable; recheck(): Promise<void> }) => {
      const file = await readAll(upload);
      await recheck();
      const rows = readCsv(file, subject.columns);
      return { result: await planBatch(batch, context, actor, { asked: null, rows }) };
    },
    ...batchHandlers(context, batch, kind),
  };
}
