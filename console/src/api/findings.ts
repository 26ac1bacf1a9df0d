import { findingRoutes } from '@apotheca/contract/findings';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Findings');
// Whatever changes these may plant or mend one.
const shownIn = ['Findings', 'Tenants', 'Databases', 'Backups', 'Dashboard'] as const;

const findingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listFindings: build.query({ ...queryFor(findingRoutes.list), providesTags: shownIn }),
    listFindingRecords: build.query({ ...queryFor(findingRoutes.records), providesTags: shownIn }),
    snoozeFindings: build.mutation({ ...mutationFor(findingRoutes.snooze), invalidatesTags: change }),
    wakeFinding: build.mutation({ ...mutationFor(findingRoutes.wake), invalidatesTags: change }),
    getGrowth: build.query({ ...queryFor(findingRoutes.growth), providesTags: ['Dashboard'] }),
  }),
});

export const { listFindings } = findingsApi.endpoints;
export const {
  useListFindingsQuery,
  useListFindingRecordsQuery,
  useSnoozeFindingsMutation,
  useWakeFindingMutation,
  useGetGrowthQuery,
} = findingsApi;
