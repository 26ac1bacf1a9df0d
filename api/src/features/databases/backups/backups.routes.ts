import { backupRoutes } from '@apotheca/contract/backups';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { requirePermission } from '../../auth/callers.service.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { backupOperation } from './backup.operation.ts';
import { getBackup, getBackups, getLeftOut, openBackup, removeBackup, takeInBackup } from './backups.service.ts';
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
    delete: async ({ query: { id }, actor }) => {
      const { remains } = await removeBackup(context, actor, id);
      if (remains === undefined) return { result: { id, isRemoved: true }, message: 'Successfully deleted backup.' };
      const message = `The backup is off the list, but its archive cannot be removed now (${remains}). The server tries again every minute.`;
      return { result: { id, isRemoved: false }, message };
    },
    planRestore: async ({ query, callContext }) => {
      const backup = await getBackup(context, query.id);
      const plan = await planRestore(callContext, query.databaseName);
      const leftOut = await getLeftOut(context, backup);
      return {
        result: { ...plan, leftOut, backupOnUtc: backup.createdAt.toISOString() },
        message: describeRestore(backup, plan),
      };
    },
    restore: async ({ query, actor }) => {
      const input = await restoreInput(context, query);
      return { operationId: await startOperation(context, actor, restoreOperation, input) };
    },
  });
}
