import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import type { BatchSubject } from './batch-subject.ts';
import { type BatchReport, getBatchReport, startBatch } from './batches.service.ts';

/** What answers the calls that start a planned batch and tell what it did. */
export const batchHandlers = (context: Context, subject: BatchSubject, kind: OperationKind<{ batchId: string }>) => ({
  start: async ({ query, actor }: { query: { id: string; plan: string }; actor: Actor }) => ({
    operationId: await startBatch(subject, kind, context, actor, query),
  }),
  report: async ({
    query,
  }: {
    query: { id?: string | undefined; operationId?: string | undefined; fromLine?: number | undefined };
  }): Promise<{ result: BatchReport | null }> => ({
    result: await getBatchReport(subject, context, query),
  }),
});
