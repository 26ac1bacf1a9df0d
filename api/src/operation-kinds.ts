import { anonymizeOperation } from './features/databases/anonymization/anonymize.operation.ts';
import { backupOperation } from './features/databases/backups/backup.operation.ts';
import { restoreOperation } from './features/databases/backups/restore.operation.ts';
import { cloneOperation } from './features/databases/clone.operation.ts';
import { deleteOperation } from './features/databases/delete.operation.ts';
import { purgeOperation } from './features/databases/purge/purge.operation.ts';
import { putBackOperation } from './features/databases/purge/put-back.operation.ts';
import { renameOperation } from './features/databases/rename.operation.ts';
import { upgradeOperation } from './features/databases/upgrade.operation.ts';
import { syncTenantsOperation } from './features/permissions/sync-tenants.operation.ts';
import { deleteTenantOperation } from './features/tenants/delete-tenant.operation.ts';
import { duplicateTenantOperation } from './features/tenants/duplicate-tenant.operation.ts';
import type { OperationKind } from './operations/operation-kind.ts';

const KINDS = [
  backupOperation,
  restoreOperation,
  cloneOperation,
  renameOperation,
  deleteOperation,
  upgradeOperation,
  duplicateTenantOperation,
  deleteTenantOperation,
  purgeOperation,
  putBackOperation,
  anonymizeOperation,
  syncTenantsOperation,
];

/** Every kind of durable operation, by name. */
export const operationKinds: ReadonlyMap<string, OperationKind> = new Map(
  KINDS.map((kind) => [kind.name, kind as OperationKind]),
);
