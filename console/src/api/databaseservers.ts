import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Databaseservers');

const databaseServersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDatabaseServers: build.query({ ...queryFor(databaseServerRoutes.list), providesTags: ['Databaseservers'] }),
    createDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.create), invalidatesTags: change }),
    editDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.edit), invalidatesTags: change }),
    checkDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.check), invalidatesTags: change }),
    drainDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.drain), invalidatesTags: change }),
    retireDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.retire), invalidatesTags: change }),
    activateDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.activate), invalidatesTags: change }),
    deleteDatabaseServer: build.mutation({ ...mutationFor(databaseServerRoutes.delete), invalidatesTags: change }),
  }),
});

export const {
  useListDatabaseServersQuery,
  useCreateDatabaseServerMutation,
  useEditDatabaseServerMutation,
  useCheckDatabaseServerMutation,
  useDrainDatabaseServerMutation,
  useRetireDatabaseServerMutation,
  useActivateDatabaseServerMutation,
  useDeleteDatabaseServerMutation,
} = databaseServersApi;
