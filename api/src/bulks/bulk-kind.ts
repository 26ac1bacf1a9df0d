import { batchKind } from '../batches/batch-kind.ts';
import { bulkBatch } from './bulk-batch.ts';
import type { Asked, BulkSubject } from './bulk-subject.ts';

/** The operation that does something with many records. */
export const bulkKind = <Of extends Asked>(subject: BulkSubject<Of>) => batchKind(bulkBatch(subject));
