import { momentRoutes } from '@apotheca/contract/moments';
import { api, queryFor, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

const momentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    // True for one moment only, so no dialog takes the answer of an earlier one.
    getMomentRange: build.query({ ...queryFor(momentRoutes.range), keepUnusedDataFor: 0 }),
    restoreMoment: build.mutation({
      ...operationFor(momentRoutes.restore),
      invalidatesTags: unlessFailed('Databases', 'Dashboard'),
    }),
  }),
});

export const { useGetMomentRangeQuery } = momentsApi;

/** For `useOperation`. */
export const { restoreMoment } = momentsApi.endpoints;
