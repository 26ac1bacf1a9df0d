import { databaseRoutes } from '@apotheca/contract/databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { isApiError } from './api-error.ts';
import { api, mutationFor, queryFor } from './client.ts';

/** Reloads what a call has changed; a failed call has changed nothing, unless it found that its row is gone. */
const unlessFailed =
  <Tag extends string>(...tags: Tag[]) =>
  (_result: unknown, error: unknown): Tag[] =>
    error === undefined || isGone(error) ? tags : [];

const isGone = (error: unknown): boolean => isApiError(error) && error.status === 404;

const change = unlessFailed('Tenants');
const changeOfNumber = unlessFailed('Tenants', 'Dashboard', 'Databases');

const tenantsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTenants: build.query({ ...queryFor(tenantRoutes.list), providesTags: ['Tenants'] }),
    createTenant: build.mutation({ ...mutationFor(tenantRoutes.create), invalidatesTags: changeOfNumber }),
    editTenant: build.mutation({ ...mutationFor(tenantRoutes.edit), invalidatesTags: change }),
    activateTenant: build.mutation({ ...mutationFor(tenantRoutes.activate), invalidatesTags: change }),
    deactivateTenant: build.mutation({ ...mutationFor(tenantRoutes.deactivate), invalidatesTags: change }),
    deleteTenant: build.mutation({ ...mutationFor(tenantRoutes.delete), invalidatesTags: changeOfNumber }),
    duplicateTenant: build.mutation({ ...mutationFor(databaseRoutes.copy), invalidatesTags: changeOfNumber }),
    listTenantStatuses: build.query({ ...queryFor(tenantRoutes.listStatuses), providesTags: ['Lookups'] }),
    listTimezones: build.query({ ...queryFor(tenantRoutes.listTimezones), providesTags: ['Lookups'] }),
    listEmrs: build.query({ ...queryFor(tenantRoutes.listEmrs), providesTags: ['Lookups'] }),
  }),
});

export const {
  useListTenantsQuery,
  useCreateTenantMutation,
  useEditTenantMutation,
  useActivateTenantMutation,
  useDeactivateTenantMutation,
  useDeleteTenantMutation,
  useDuplicateTenantMutation,
  useListTenantStatusesQuery,
  useListTimezonesQuery,
  useListEmrsQuery,
} = tenantsApi;
