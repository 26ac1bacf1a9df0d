import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const reconciliationApi = api.injectEndpoints({
  endpoints: (build) => ({
    reconcile: build.query({
      ...queryFor(reconciliationRoutes.reconcile),
      providesTags: ['Reconciliation'],
      keepUnusedDataFor: 0,
    }),
    fixFinding: build.mutation({
      ...mutationFor(reconciliationRoutes.fix),
      invalidatesTags: unlessFailed('Reconciliation', 'Databases'),
    }),
  }),
});

export const { useReconcileQuery, useFixFindingMutation } = reconciliationApi;
