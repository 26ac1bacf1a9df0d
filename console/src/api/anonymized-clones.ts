import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { answerFor, api, mutationFor, queryFor, reloadsWhenGone, unlessFailed, unlessGone } from './http/client.ts';
import { operationFor } from './operations.ts';

const clonesApi = api.injectEndpoints({
  endpoints: (build) => ({
    cloneAnonymized: build.mutation({
      ...operationFor(anonymizedCloneRoutes.cloneAnonymized),
      invalidatesTags: unlessFailed('Databases', 'Dashboard'),
    }),
    // True for one moment only, so it is not cached; the message is shown too.
    planRefresh: build.query({
      ...answerFor(anonymizedCloneRoutes.planRefresh),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Databases'),
    }),
    // Also after a failure: the dialog shows how the last time ended.
    refreshClone: build.mutation({ ...operationFor(anonymizedCloneRoutes.refresh), invalidatesTags: ['Databases'] }),
    getAnonymizedClone: build.query({
      ...queryFor(anonymizedCloneRoutes.get),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Databases'),
      providesTags: unlessGone('Databases'),
    }),
    setRefreshSchedule: build.mutation({
      ...mutationFor(anonymizedCloneRoutes.set),
      invalidatesTags: unlessFailed('Databases'),
    }),
  }),
});

export const { useGetAnonymizedCloneQuery, usePlanRefreshQuery, useSetRefreshScheduleMutation } = clonesApi;

/** For `useOperation`. */
export const { cloneAnonymized, refreshClone } = clonesApi.endpoints;
