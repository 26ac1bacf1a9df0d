import { TENANT_SORT_COLUMNS, tenantRoutes } from '@apotheca/contract/tenants';
import { answerFor, api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

// The list of databases names the tenant of each.
const change = unlessFailed('Tenants', 'Databases');
const reloadCounts = unlessFailed('Tenants', 'Dashboard', 'Databases');

const tenantsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] }),
    // True for one moment only, so it is not cached; the message is shown too.
    planTenantDeletion: build.query({
      ...answerFor(tenantRoutes.planDeletion),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Tenants', 'Databases'),
    }),
    createTenant: build.mutation({ ...mutationFor(tenantRoutes.create), invalidatesTags: reloadCounts }),
    editTenant: build.mutation({ ...mutationFor(tenantRoutes.edit), invalidatesTags: change }),
    activateTenant: build.mutation({ ...mutationFor(tenantRoutes.activate), invalidatesTags: change }),
    deactivateTenant: build.mutation({ ...mutationFor(tenantRoutes.deactivate), invalidatesTags: change }),
    postponeExpiry: build.mutation({ ...mutationFor(tenantRoutes.postponeExpiry), invalidatesTags: change }),
    deleteTenant: build.mutation({ ...operationFor(tenantRoutes.delete), invalidatesTags: reloadCounts }),
    listTenantStatuses: build.query({ ...queryFor(tenantRoutes.listStatuses), providesTags: ['Lookups'] }),
    listTimezones: build.query({ ...queryFor(tenantRoutes.listTimezones), providesTags: ['Lookups'] }),
    listEmrs: build.query({ ...queryFor(tenantRoutes.listEmrs), providesTags: ['Lookups'] }),
  }),
});

export const {
  useListTenantsQuery,
  usePlanTenantDeletionQuery,
  useCreateTenantMutation,
  useEditTenantMutation,
  useActivateTenantMutation,
  useDeactivateTenantMutation,
  usePostponeExpiryMutation,
  useListTenantStatusesQuery,
  useListTimezonesQuery,
  useListEmrsQuery,
} = tenantsApi;

/** How the list is first asked for: other readers share the answer with its screen. */
export const TENANTS_AS_LISTED = { sortColumn: TENANT_SORT_COLUMNS[0], sortDirection: 'asc' } as const;

export const { listTenants } = tenantsApi.endpoints;

/** For `useOperation`. */
export const { deleteTenant } = tenantsApi.endpoints;
