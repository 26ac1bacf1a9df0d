import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { purgeRoutes } from '@apotheca/contract/purges';
import { answerFor, api, queryFor, reloadsWhenGone, unlessFailed, unlessGone } from './http/client.ts';
import { operationFor } from './operations.ts';

// True for one moment only, so it is not cached; the messages are shown too.
const plan = { keepUnusedDataFor: 0, ...reloadsWhenGone('Databases', 'Tenants') };
// What a tab shows beside its choices is loaded again after one's own put-back or anonymization. A confirmation has an answer of its
// own, which nothing exchanges while it is read: where the plan has changed, the server says so.
const preview = { ...plan, providesTags: unlessGone('DataPlans') };

const tenantDataApi = api.injectEndpoints({
  endpoints: (build) => ({
    planPurge: build.query({ ...answerFor(purgeRoutes.planPurge), ...plan }),
    previewPurge: build.query({ ...answerFor(purgeRoutes.planPurge), ...preview }),
    planAnonymization: build.query({ ...answerFor(anonymizationRoutes.planAnonymization), ...plan }),
    previewAnonymization: build.query({ ...answerFor(anonymizationRoutes.planAnonymization), ...preview }),
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

export const {
  usePlanPurgeQuery,
  usePreviewPurgeQuery,
  usePlanAnonymizationQuery,
  usePreviewAnonymizationQuery,
  useListPurgesQuery,
} = tenantDataApi;

/** For `useOperation`. */
export const { anonymizeDatabase, purgeTables, putTablesBack } = tenantDataApi.endpoints;
