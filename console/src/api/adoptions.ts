import { type AdoptionPlan, adoptionPlan, adoptionRoutes } from '@apotheca/contract/adoptions';
import type { Reply } from '../transport/transport.ts';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';
import { download } from './http/download.ts';
import { type Upload, upload } from './http/upload.ts';
import { operationFor } from './operations.ts';

const adoptionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    inspectArchive: build.mutation<AdoptionPlan, Upload & { sha256: string }>({
      async queryFn({ sha256, ...file }, context) {
        const query = sha256 === '' ? {} : { sha256 };
        const call = { route: adoptionRoutes.inspectArchive, query, needs: adoptionPlan };
        const { data, error } = await upload(call, file, context);
        return error ? { error } : { data: adoptionPlan.parse((data as Reply).result) };
      },
    }),
    inspectServer: build.mutation(mutationFor(adoptionRoutes.inspectServer)),
    planAdoption: build.query({ ...queryFor(adoptionRoutes.plan), keepUnusedDataFor: 0 }),
    adoptDatabase: build.mutation({
      ...operationFor(adoptionRoutes.adopt),
      invalidatesTags: unlessFailed('Databases', 'Dashboard'),
    }),
    deleteRejectedRows: build.mutation({
      ...mutationFor(adoptionRoutes.deleteRejected),
      invalidatesTags: unlessFailed('Databases'),
    }),
    downloadRejectedRows: build.mutation<null, { databaseName: string }>({
      queryFn: (query, context) =>
        download({ route: adoptionRoutes.downloadRejected, query }, `${query.databaseName} rejected rows.csv`, context),
    }),
  }),
});

export const {
  useInspectArchiveMutation,
  useInspectServerMutation,
  usePlanAdoptionQuery,
  useDownloadRejectedRowsMutation,
  useDeleteRejectedRowsMutation,
} = adoptionsApi;

/** For `useOperation`. */
export const { adoptDatabase } = adoptionsApi.endpoints;
