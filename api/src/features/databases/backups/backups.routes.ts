import { backupRoutes } from '@apotheca/contract/backups';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { serveRoutes } from '../../../plugins/contract-route.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { backupOperation } from './backup.operation.ts';
import { deleteBackup, getBackup, getLeftOut, listBackups, openBackup, uploadBackup } from './backups.service.ts';
import { restoreInput, restoreOperation } from './restore.operation.ts';
import { describeRestore, planRestore, withLeftOut } from './restore-plan.ts';

const UPLOADED = 'Success! The archive has been checked and kept.';
const COPIES_REMAIN =
  'The backup is off the list and its archive is removed. The server removes its copies from the stores, and tries again until they are gone.';
const NOT_FULLY_VERIFIED =
  'It has no seal and came without its SHA-256: the checksums of its rows are right, but the values of its identities have none.';

export function registerBackups(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, backupRoutes, {
    create: async ({ query, actor }) => {
      const { id: databaseId } = await getDatabaseByName(context, query.databaseName);
      return { operationId: await startOperation(context, actor, backupOperation, { databaseId }) };
    },
    list: listBackups(context),
    download: async ({ query, actor, disconnected }) => ({
      file: await openBackup(context, actor, query.id, disconnected),
    }),
    upload: async ({ query, actor, upload, recheck }) => {
      const sent = { ...query, content: upload, recheckPermission: recheck };
      const { backup, isFullyVerified } = await uploadBackup(context, actor, sent);
      return { result: backup, message: isFullyVerified ? UPLOADED : `${UPLOADED} ${NOT_FULLY_VERIFIED}` };
    },
    delete: async ({ query: { id }, actor }) => {
      const { failure, copies } = await deleteBackup(context, actor, id);
      if (failure === undefined && copies > 0) return { result: { id, isRemoved: false }, message: COPIES_REMAIN };
      if (failure === undefined) return { result: { id, isRemoved: true }, message: 'Successfully deleted backup.' };
      const message = `The backup is off the list, but its archive cannot be removed now (${failure}). The server tries again every minute.`;
      return { result: { id, isRemoved: false }, message };
    },
    planRestore: async ({ query, callContext, disconnected }) => {
      const backup = await getBackup(context, query.id);
      const { target, serverId } = await planRestore(callContext, backup, query.databaseName);
      const plan = withLeftOut(target, await getLeftOut(context, backup, { serverId, signal: disconnected }));
      return {
        result: { ...plan, backupOnUtc: backup.createdAt.toISOString() },
        message: describeRestore(context, backup, plan),
      };
    },
    restore: async ({ query, actor }) => {
      const input = await restoreInput(context, query);
      return { operationId: await startOperation(context, actor, restoreOperation, input) };
    },
  });
}
