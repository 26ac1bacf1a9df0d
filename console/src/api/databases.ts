import { databaseRoutes } from '@apotheca/contract/databases';
import type { Reply } from '../transport/transport.ts';
import { api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

const changeOfNumber = unlessFailed('Databases', 'Dashboard');

const whenGone = reloadsWhenGone('Databases', 'Tenants');

const databasesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDatabases: build.query({ ...queryFor(databaseRoutes.list), providesTags: ['Databases'] }),
    // What these two answer is true of this moment, so nothing of it is kept for the next dialog.
    getDatabaseDetails: build.query({ ...queryFor(databaseRoutes.details), keepUnusedDataFor: 0, ...whenGone }),
    // As with a change, the answer's message is to be shown: it warns of what the deletion destroys.
    checkDatabase: build.query({ ...mutationFor(databaseRoutes.check), keepUnusedDataFor: 0, ...whenGone }),
    deleteDatabase: build.mutation({ ...operationFor(databaseRoutes.delete), invalidatesTags: changeOfNumber }),
    renameDatabase: build.mutation({
      ...operationFor(databaseRoutes.rename),
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants'),
    }),
    copyDatabase: build.mutation({
      ...operationFor(databaseRoutes.copy),
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants'),
    }),
  }),
});

export const {
  useListDatabasesQuery,
  useGetDatabaseDetailsQuery,
  useCheckDatabaseQuery,
  useDeleteDatabaseMutation,
  useRenameDatabaseMutation,
  useCopyDatabaseMutation,
} = databasesApi;

/** Statuses with which an answer of copydatabase says that nothing was copied (SPEC §7.3, §8). */
const FAILED: readonly number[] = [400, 409, 500];

/**
 * The message of a copy that was made.
 * @throws {ApiError} when the answer says that nothing was copied
 */
export function messageOfCopy({ status, message }: Reply): string {
  if (FAILED.includes(status)) throw { status, message };
  return message;
}
