import { z } from 'zod';
import { byId, GROWING } from './fields.ts';
import type { PermissionIdentifier } from './permission-catalogue.ts';
import { route } from './route.ts';
import { utcMoment } from './text.ts';

/** The kinds of durable operation: work that takes long (DECISIONS §8). */
export const OPERATION_KINDS = [
  'clone',
  'clone-anonymized',
  'refresh',
  'rename',
  'move',
  'backup',
  'restore',
  'prove',
  'restore-moment',
  'adopt',
  'purge',
  'put-back',
  'anonymize',
  'delete',
  'unpark',
  'remove-parked',
  'upgrade',
  'duplicate-tenant',
  'delete-tenant',
  'sync-tenants',
  'change-access',
  'import-tenants',
  'import-users',
  'import-faqs',
  'bulk-tenants',
  'bulk-databases',
  'bulk-permissions',
  'bulk-users',
] as const;
export type OperationKindName = (typeof OPERATION_KINDS)[number];

/** The permissions to cancel an operation or to start it again: those of the call that starts it. */
export const OPERATION_PERMISSIONS: Record<OperationKindName, readonly PermissionIdentifier[]> = {
  clone: ['databases.write'],
  'clone-anonymized': ['databases.write', 'databases.purge'],
  refresh: ['databases.write', 'databases.purge'],
  rename: ['databases.write'],
  move: ['databases.write'],
  backup: ['databases.write'],
  restore: ['databases.restore'],
  prove: ['databases.restore'],
  'restore-moment': ['databases.restore'],
  adopt: ['databases.restore'],
  purge: ['databases.purge'],
  'put-back': ['databases.purge'],
  anonymize: ['databases.purge'],
  delete: ['databases.delete'],
  unpark: ['databases.restore', 'tenants.write'],
  'remove-parked': ['databases.delete', 'tenants.delete'],
  upgrade: ['databases.write'],
  'duplicate-tenant': ['databases.write', 'tenants.write'],
  'delete-tenant': ['tenants.delete'],
  'sync-tenants': ['permissions.write'],
  'change-access': ['tenants.write'],
  'import-tenants': ['tenants.write'],
  'import-users': ['users.write'],
  'import-faqs': ['faqs.write'],
  'bulk-tenants': ['tenants.write'],
  'bulk-databases': ['databases.write'],
  'bulk-permissions': ['permissions.write'],
  'bulk-users': ['users.write'],
};

/** The kind of an operation in answers. Another version of the server, beside this one or before it, may have started one of a kind of its own. */
export const operationKind = z.string().register(GROWING, { values: OPERATION_KINDS });

/** Whether this version knows a kind. */
export const isKnownKind = (kind: string): kind is OperationKindName => Object.hasOwn(OPERATION_PERMISSIONS, kind);

export const OPERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** Whether an operation has come to its end. */
export const isEnded = (state: OperationState): boolean => state !== 'queued' && state !== 'running';

/** How long a call waits for its operation before it is answered 202, in milliseconds (DECISIONS §8). */
export const OPERATION_WAIT = 10_000;

/** An operation as the activity panel shows it. */
export const operation = z.object({
  id: z.string(),
  kind: operationKind,
  /** Of one that makes a database the id of that. An operation on many databases has its own. */
  databaseId: z.string(),
  /** The name that the database had when it began. An operation on many databases has words for them here. */
  databaseName: z.string(),
  /** Name of the database that it copies, null if it copies none; `databaseName` is then the copy. */
  copiedFrom: z.string().nullable(),
  /** Name of the user who started it. */
  startedBy: z.string(),
  state: z.enum(OPERATION_STATES),
  /** Its steps in order, in words. */
  steps: z.array(z.string()),
  /** Index of the step it is at; the last one when it has ended. */
  step: z.number().int(),
  percent: z.number().int().min(0).max(100),
  /** Whether it can still be cancelled. */
  cancellable: z.boolean(),
  cancelRequested: z.boolean(),
  /** While it runs: up to the last heartbeat. */
  elapsedSeconds: z.number(),
  /** What the last operations of its kind took, scaled by size; null when there were none. */
  expectedSeconds: z.number().nullable(),
  createdOnUtc: utcMoment,
  startedOnUtc: utcMoment.nullable(),
  /** When the server last worked on it. */
  heartbeatOnUtc: utcMoment.nullable(),
  finishedOnUtc: utcMoment.nullable(),
  /** How it ended, in words: what was done, or why it failed. */
  message: z.string(),
});
export type Operation = z.infer<typeof operation>;

/** One operation with its result. */
export const operationDetails = operation.extend({
  /** The answer of the call that started it, once it has succeeded. */
  result: z.unknown(),
  /** The error reply to that call, if it has failed. */
  error: z
    .object({
      status: z.number().int(),
      title: z.string(),
      errors: z.record(z.string(), z.array(z.string())).optional(),
      result: z.unknown().optional(),
    })
    .nullable(),
});
export type OperationDetails = z.infer<typeof operationDetails>;

/** `result` of a 202: the operation goes on, and GET /operations/getbyid tells its progress. */
export const accepted = z.object({ operationId: z.string() });
export type Accepted = z.infer<typeof accepted>;

export const operationRoutes = {
  list: route({
    feature: 'databases',
    summary:
      'The operations that run or wait, upgrades that failed and are still due, and the newest ones that have ended',
    base: 'api',
    method: 'GET',
    path: '/operations/get',
    permission: 'signed-in',
    byKey: true,
    result: z.array(operation),
    list: true,
  }),
  get: route({
    feature: 'databases',
    summary: 'One operation with its result',
    base: 'api',
    method: 'GET',
    path: '/operations/getbyid',
    permission: 'signed-in',
    byKey: true,
    query: byId,
    result: operationDetails,
  }),
  cancel: route({
    feature: 'databases',
    summary: 'Cancel an operation that can still be undone; needs the permission to start it',
    base: 'api',
    method: 'POST',
    path: '/operations/cancel',
    permission: 'signed-in',
    byKey: true,
    query: byId,
    result: accepted,
  }),
  retry: route({
    feature: 'databases',
    summary: 'Start a failed or cancelled operation again; needs the permission to start it',
    base: 'api',
    method: 'POST',
    path: '/operations/retry',
    permission: 'signed-in',
    byKey: true,
    query: byId,
    result: accepted,
  }),
  results: route({
    feature: 'databases',
    summary:
      'What an import or a change of many records did with each of them, as CSV; needs the permission to start it',
    base: 'api',
    method: 'GET',
    path: '/operations/results',
    permission: 'signed-in',
    byKey: true,
    download: true,
    fileTypes: ['text/csv'],
    query: byId,
    result: z.unknown(),
  }),
};
