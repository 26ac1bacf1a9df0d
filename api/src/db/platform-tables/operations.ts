import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Actor } from '../../actor.ts';
import type { Timestamp } from './timestamps.ts';

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

export interface OperationClaims {
  databaseId: string;
  operationId: string;
}
