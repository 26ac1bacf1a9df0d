import { adoptOperation } from './features/databases/adoption/adopt.operation.ts';
import { anonymizeOperation } from './features/databases/anonymization/anonymize.operation.ts';
import { backupOperation } from './features/databases/backups/backup.operation.ts';
import { proveOperation } from './features/databases/backups/proof/prove.operation.ts';
import { restoreOperation } from './features/databases/backups/restore.operation.ts';
import { bulkDatabasesOperation } from './features/databases/bulk/bulk-databases.operation.ts';
import { cloneOperation } from './features/databases/clone.operation.ts';
import { deleteOperation } from './features/databases/delete.operation.ts';
import { moveOperation } from './features/databases/moving/move.operation.ts';
import { removeParkedOperation } from './features/databases/parking/remove-parked.operation.ts';
import { unparkOperation } from './features/databases/parking/unpark.operation.ts';
import { restoreMomentOperation } from './features/databases/point-in-time/restore-moment.operation.ts';
import { purgeOperation } from './features/databases/purge/purge.operation.ts';
import { putBackOperation } from './features/databases/purge/put-back.operation.ts';
import { renameOperation } from './features/databases/rename.operation.ts';
import { cloneAnonymizedOperation } from './features/databases/staging/clone-anonymized.operation.ts';
import { refreshOperation } from './features/databases/staging/refresh.operation.ts';
import { upgradeOperation } from './features/databases/upgrade.operation.ts';
import { importFaqsOperation } from './features/faqs/import-faqs.operation.ts';
import { bulkPermissionsOperation } from './features/permissions/bulk-permissions.operation.ts';
import { syncTenantsOperation } from './features/permissions/sync-tenants.operation.ts';
import { changeAccessOperation } from './features/tenants/access/change-access.operation.ts';
import { bulkTenantsOperation } from './features/tenants/bulk-tenants.operation.ts';
import { deleteTenantOperation } from './features/tenants/delete-tenant.operation.ts';
import { duplicateTenantOperation } from './features/tenants/duplicate-tenant.operation.ts';
import { importTenantsOperation } from './features/tenants/import-tenants.operation.ts';
import { bulkUsersOperation } from './features/users/bulk-users.operation.ts';
import { importUsersOperation } from './features/users/import-users.operation.ts';
import type { OperationKind } from './operations/operation-kind.ts';

const KINDS: readonly OperationKind[] = [
  adoptOperation,
  anonymizeOperation,
  backupOperation,
  proveOperation,
  restoreOperation,
  bulkDatabasesOperation,
  cloneOperation,
  deleteOperation,
  moveOperation,
  removeParkedOperation,
  unparkOperation,
  restoreMomentOperation,
  purgeOperation,
  putBackOperation,
  renameOperation,
  cloneAnonymizedOperation,
  refreshOperation,
  upgradeOperation,
  importFaqsOperation,
  bulkPermissionsOperation,
  syncTenantsOperation,
  changeAccessOperation,
  bulkTenantsOperation,
  deleteTenantOperation,
  duplicateTenantOperation,
  importTenantsOperation,
  bulkUsersOperation,
  importUsersOperation,
];

/** Every kind of durable operation, by name. */
export const operationKinds: ReadonlyMap<string, OperationKind> = new Map(KINDS.map((kind) => [kind.name, kind]));
