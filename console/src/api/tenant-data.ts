import { tenantDataRoutes } from '@apotheca/contract/tenant-data';
import { api, mutationFor, queryFor, unlessFailed } from './client.ts';
import { operationFor } from './operations.ts';

const tenantDataApi = api.injectEndpoints({
  endpoints: (build) => ({
    // True of this moment, so nothing of it is kept; their messages are to be shown.
    previewPurge: build.query({ ...mutationFor(tenantDataRoutes.previewPurge), keepUnusedDataFor: 0 }),
    previewAnonymization: build.query({ ...mutationFor(tenantDataRoutes.previewAnonymization), keepUnusedDataFor: 0 }),
    listPurges: build.query({ ...queryFor(tenantDataRoutes.listPurges), providesTags: ['Purges'] }),
    purgeTables: build.mutation({
      ...operationFor(tenantDataRoutes.purge),
      invalidatesTags: unlessFailed('Purges'),
    }),
    putTablesBack: build.mutation({
      ...operationFor(tenantDataRoutes.putBack),
      invalidatesTags: unlessFailed('Purges'),
    }),
    anonymizeDatabase: build.mutation({
      ...operationFor(tenantDataRoutes.anonymize),
      invalidatesTags: unlessFailed('Purges'),
    }),
  }),
});

export const {
  usePreviewPurgeQuery,
  usePreviewAnonymizationQuery,
  useListPurgesQuery,
  usePurgeTablesMutation,
  usePutTablesBackMutation,
  useAnonymizeDatabaseMutation,
} = tenantDataApi;
