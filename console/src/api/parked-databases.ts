import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { api, queryFor, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

const parkedDatabasesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listParkedDatabases: build.query({ ...queryFor(parkedDatabaseRoutes.listParked), providesTags: ['Databases'] }),
    putBackDatabase: build.mutation({
      ...operationFor(parkedDatabaseRoutes.putBack),
      invalidatesTags: unlessFailed('Databases', 'Dashboard', 'Tenants', 'Backups', 'Purges'),
    }),
    removeParkedDatabase: build.mutation({
      ...operationFor(parkedDatabaseRoutes.removeParked),
      invalidatesTags: unlessFailed('Databases'),
    }),
  }),
});

export const { useListParkedDatabasesQuery } = parkedDatabasesApi;

/** For `useOperation`. */
export const { putBackDatabase, removeParkedDatabase } = parkedDatabasesApi.endpoints;
