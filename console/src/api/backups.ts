import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, backup, backupRoutes } from '@apotheca/contract/backups';
import type { Reply } from '../transport/transport.ts';
import { answerFor, api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { download } from './http/download.ts';
import { type Upload, upload } from './http/upload.ts';
import { operationFor } from './operations.ts';

const backupsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listBackups: build.query({ ...queryFor(backupRoutes.list), providesTags: ['Backups'] }),
    backUpDatabase: build.mutation({
      ...operationFor(backupRoutes.create),
      // The list of databases shows the newest backup.
      invalidatesTags: unlessFailed('Backups', 'Databases'),
    }),
    downloadBackup: build.mutation<null, { id: string; fileName: string }>({
      queryFn: ({ id, fileName }, context) =>
        download({ route: backupRoutes.download, query: { id } }, fileName, context),
    }),
    uploadBackup: build.mutation<Reply<Backup>, Upload & { databaseName: string; sha256: string }>({
      async queryFn({ databaseName, sha256, ...file }, context) {
        const query = { databaseName, ...(sha256 !== '' && { sha256 }) };
        const { data, error } = await upload({ route: backupRoutes.upload, query, needs: backup }, file, context);
        return error ? { error } : { data: { ...data, result: backup.parse(data.result) } };
      },
      invalidatesTags: unlessFailed('Backups', 'Databases'),
    }),
    deleteBackup: build.mutation({
      ...mutationFor(backupRoutes.delete),
      invalidatesTags: unlessFailed('Backups', 'Databases'),
    }),
    // The answer's message is shown too: it says what the restore replaces.
    planRestore: build.query({
      ...answerFor(backupRoutes.planRestore),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Backups', 'Databases'),
    }),
    // A proof that fails is shown in the list too.
    proveBackup: build.mutation({ ...operationFor(backupProofRoutes.prove), invalidatesTags: ['Backups'] }),
    restoreDatabase: build.mutation({
      ...operationFor(backupRoutes.restore),
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants', 'Purges'),
    }),
  }),
});

export const {
  useListBackupsQuery,
  useDownloadBackupMutation,
  useUploadBackupMutation,
  useDeleteBackupMutation,
  usePlanRestoreQuery,
} = backupsApi;

/** For `useOperation`. */
export const { backUpDatabase, proveBackup, restoreDatabase } = backupsApi.endpoints;
