import { backupRoutes } from '@apotheca/contract/backups';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { requirePermission } from '../auth/callers.service.ts';
import { backupOperation } from './backup.operation.ts';
import { getBackup, getBackups, openBackup, removeBackup, takeInBackup } from './backups.service.ts';
import { getDatabaseByName } from './databases.service.ts';
import { restoreInput, restoreOperation } from './restore.operation.ts';
import { describeRestore, planRestore } from './restore-plan.ts';

const TAKEN_IN = 'Success! The archive has been checked and kept.';
const NOT_VOUCHED_FOR =
  'It carries no seal and came without its SHA-256: its rows agree with their checksums, but what identities count from has none.';

export function registerBackups(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, backupRoutes, {
    create: async ({ query, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, query.databaseName);
      return { operationId: await startOperation(context, actor, backupOperation, { databaseId }) };
    },
    list: async ({ query }) => ({ result: await getBackups(context, query.databaseName) }),
    download: async ({ query, actor }) => ({ file: await openBackup(context, actor, query.id) }),
    upload: async ({ query, caller, actor, upload }) => {
      const { permission } = backupRoutes.upload;
      const refuseLatecomer = () => requirePermission(context, caller, actor, permission);
      const sent = { ...query, content: upload, refuseLatecomer };
      const { backup, isVouchedFor } = await takeInBackup(context, actor, sent);
      return { result: backup, message: isVouchedFor ? TAKEN_IN : `${TAKEN_IN} ${NOT_VOUCHED_FOR}` };
    },
    delete: async ({ query, actor }) => ({
      result: await removeBackup(context, actor, query.id),
      message: 'Successfully deleted backup.',
    }),
    previewRestore: async ({ query }) => {
      const backup = await getBackup(context, query.id);
      const plan = await planRestore(context, query.databaseName);
      return { result: plan, message: describeRestore(backup, plan) };
    },
    restore: async ({ query, actor }) => {
      const input = await restoreInput(context, query);
      return { operationId: await startOperation(context, actor, restoreOperation, input) };
    },
  });
}
