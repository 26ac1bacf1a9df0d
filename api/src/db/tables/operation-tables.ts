import type { ImportOutcome, PlannedImportRow } from '@apotheca/contract/imports';
import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Actor } from '../../actor.ts';
import type { Timestamp } from './column-types.ts';

/** Operations, those of many records, and calls that may be repeated. */
export interface OperationTables {
  idempotencyKeys: IdempotencyKeys;
  operations: Operations;
  operationClaims: OperationClaims;
  batches: Batches;
  batchRows: BatchRows;
}

export interface Operations {
  id: string;
  kind: OperationKindName;
  databaseId: string;
  databaseName: string;
  input: JSONColumnType<object>;
  actorId: string | null;
  actorName: string;
  address: string;
  state: OperationState;
  steps: string[];
  step: number;
  percent: number;
  cancellable: boolean;
  cancelRequested: boolean;
  cancelledBy: ColumnType<Actor | null, string | null, string | null>;
  /** How many runs have begun, including the present one. */
  attempts: number;
  /** How many of them the server process survived. */
  outlived: Generated<number>;
  /** Text of a bigint. */
  sizeBytes: string;
  expectedMs: number | null;
  message: string;
  result: ColumnType<unknown, string | null, string | null>;
  error: ColumnType<StoredError | null, string | null, string | null>;
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  resumeAt: Timestamp | null;
  heartbeatAt: Timestamp | null;
  finishedAt: Timestamp | null;
}

/** How an operation failed: the code of an AppError and its details. */
export interface StoredError {
  code: string;
  errors?: Record<string, string[]>;
  result?: unknown;
}

interface OperationClaims {
  databaseId: string;
  operationId: string;
}

interface Batches {
  id: Generated<string>;
  kind: OperationKindName;
  asked: JSONColumnType<object | null>;
  createdBy: string;
  operationId: ColumnType<string | null, never, string>;
  scopes: ColumnType<string[] | null, never, readonly string[] | null>;
  createdAt: Timestamp;
}

interface BatchRows {
  batchId: string;
  line: number;
  cells: JSONColumnType<Record<string, string>>;
  record: string;
  outcome: ImportOutcome;
  version: number | null;
  changes: JSONColumnType<PlannedImportRow['changes']>;
  reasons: JSONColumnType<PlannedImportRow['reasons']>;
  state: Generated<'waiting' | 'begun' | 'done' | 'failed'>;
  operationId: ColumnType<string | null, never, string | null>;
}

interface IdempotencyKeys {
  caller: string;
  key: string;
  request: Buffer;
  attempt: string;
  heldUntil: Timestamp;
  madeId: string | null;
  operationId: string | null;
  answer: Buffer | null;
  createdAt: Timestamp;
}
