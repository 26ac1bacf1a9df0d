import type { BulkPlan, BulkReport } from '@apotheca/contract/bulks';
import type { Actor } from '../actor.ts';
import { batchHandlers } from '../batches/batch-handlers.ts';
import { planBatch } from '../batches/batches.service.ts';
import type { Context } from '../context.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import { bulkBatch } from './bulk-batch.ts';
import type { Asked, BulkSubject } from './bulk-subject.ts';

type Sent<Of> = { body: Of & { ids: string[] }; actor: Actor };

/** What answers the calls of contract/bulks `bulkRoutes` for a subject. */
export function bulkHandlers<Of extends Asked>(
  context: Context,
  subject: BulkSubject<Of>,
  kind: OperationKind<{ batchId: string }>,
) {
  const batch = bulkBatch(subject);
  const { start, report } = batchHandlers(context, batch, kind);
  return {
    plan: async ({ body, actor }: Sent<Of>): Promise<{ result: BulkPlan }> => {
      const { ids, ...asked } = body;
      subject.refuse?.(context, body);
      const rows = ids.map((id, place) => ({ line: place + 1, cells: { id } }));
      return { result: (await planBatch(batch, context, actor, { asked, rows })) as BulkPlan };
    },
    start,
    report: report as (call: Parameters<typeof report>[0]) => Promise<{ result: BulkReport<Of> | null }>,
  };
}
