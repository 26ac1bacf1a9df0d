import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { purgeRoutes } from '@apotheca/contract/purges';
import { answerFor, api, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

const whenGone = reloadsWhenGone('Databases', 'Tenants');

const tenantDataApi = api.injectEndpoints({
  endpoints: (build) => ({
    // True for one moment only, so it is not cached; the messages are shown too.
    planPurge: build.query({ ...answerFor(purgeRoutes.planPurge), keepUnusedDataFor: 0, ...whenGone }),
    planAnonymization: build.query({
      ...answerFor(anonymizationRoutes.planAnonymization),
      keepUnusedDataFor: 0,
      ...whenGone,
    }),
    listPurges: build.query({ ...queryFor(purgeRoutes.listPurges), providesTags: ['Purges'] }),
    purgeTables: build.mutation({
      ...operationFor(purgeRoutes.purge),
      invalidatesTags: unlessFailed('Purges'),
    }),
    putTablesBack: build.mutation({
      ...operationFor(purgeRoutes.putBack),
      invalidatesTags: unlessFailed('Purges'),
    }),
    anonymizeDatabase: build.mutation({
      ...operationFor(anonymizationRoutes.anonymize),
      invalidatesTags: unlessFailed('Purges'),
    }),
  }),
});

export const { usePlanPurgeQuery, usePlanAnonymizationQuery, useListPurgesQuery } = tenantDataApi;

/** For `useOperation`. */
export const { anonymizeDatabase, purgeTables, putTablesBack } = tenantDataApi.endpoints;
