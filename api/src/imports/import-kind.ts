import { batchKind } from '../batches/batch-kind.ts';
import { importBatch } from './import-batch.ts';
import type { ImportSubject } from './import-subject.ts';

/** The operation that writes the rows of a CSV file. */
export const importKind = (subject: ImportSubject) => batchKind(importBatch(subject));
