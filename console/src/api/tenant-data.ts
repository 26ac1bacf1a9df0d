import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { purgeRoutes } from '@apotheca/contract/purges';
import { answerFor, api, queryFor, reloadsWhenGone, unlessFailed, unlessGone } from './http/client.ts';
import { operationFor } from './operations.ts';

// True for one moment only, so it is not cached; the messages are shown too. It is loaded again after one's own put-back or
// anonymization beside it. Not after those of others: no other plan may come under the eyes of who confirms one.
const plan = {
  keepUnusedDataFor: 0,
  providesTags: unlessGone('DataPlans'),
  ...reloadsWhenGone('Databases', 'Tenants'),
};

const tenantDataApi = api.injectEndpoints({
  endpoints: (build) => ({
    planPurge: build.query({ ...answerFor(purgeRoutes.planPurge), ...plan }),
    planAnonymization: build.query({ ...answerFor(anonymizationRoutes.planAnonymization), ...plan }),
    listPurges: build.query({ ...queryFor(purgeRoutes.listPurges), providesTags: ['Purges'] }),
    purgeTables: build.mutation({
      ...operationFor(purgeRoutes.purge),
      invalidatesTags: unlessFailed('Purges'),
    }),
    putTablesBack: build.mutation({
      ...operationFor(purgeRoutes.putBack),
      invalidatesTags: unlessFailed('Purges', 'DataPlans'),
    }),
    anonymizeDatabase: build.mutation({
      ...operationFor(anonymizationRoutes.anonymize),
      invalidatesTags: unlessFailed('Purges', 'DataPlans'),
    }),
  }),
});

export const { usePlanPurgeQuery, usePlanAnonymizationQuery, useListPurgesQuery } = tenantDataApi;

/** For `useOperation`. */
export const { anonymizeDatabase, purgeTables, putTablesBack } = tenantDataApi.endpoints;
