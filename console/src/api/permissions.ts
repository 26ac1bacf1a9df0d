import { permissionRoutes } from '@apotheca/contract/permissions';
import type { ResultOf } from '@apotheca/contract/route';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import type { Reply } from '../transport/transport.ts';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';
import { operationFor } from './operations.ts';

// Menus are permissions, and use the same calls.
const change = unlessFailed('Permissions', 'Menus');

const permissionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPermissions: build.query({
      ...queryFor(permissionRoutes.list),
      transformResponse: ({ result }: Reply<ResultOf<typeof permissionRoutes.list>>) => result.permissions,
      providesTags: ['Permissions'],
    }),
    // Every dialog asks for new ones.
    listAvailableIds: build.query({ ...queryFor(permissionRoutes.listAvailableIds), keepUnusedDataFor: 0 }),
    createPermission: build.mutation({ ...mutationFor(permissionRoutes.create), invalidatesTags: change }),
    editPermission: build.mutation({ ...mutationFor(permissionRoutes.edit), invalidatesTags: change }),
    movePermission: build.mutation({ ...mutationFor(permissionRoutes.move), invalidatesTags: change }),
    deletePermission: build.mutation({ ...mutationFor(permissionRoutes.delete), invalidatesTags: change }),
    syncPermissions: build.mutation({
      ...mutationFor(permissionRoutes.sync),
      invalidatesTags: unlessFailed('Permissions', 'Menus', 'TenantPermissions'),
    }),
    syncTenantsPermissions: build.mutation({
      ...operationFor(permissionRoutes.syncTenants),
      // Also after a failure: the tenants before the failure are synced.
      invalidatesTags: ['TenantPermissions'],
    }),
    listTenantPermissions: build.query({
      ...queryFor(tenantPermissionRoutes.list),
      providesTags: ['TenantPermissions'],
    }),
    setTenantPermission: build.mutation({
      ...mutationFor(tenantPermissionRoutes.set),
      // The switch moves at once, and moves back when the call fails: it alone, as the list may have been loaded anew meanwhile.
      onQueryStarted({ tenantId, identifier, isActive }, { dispatch, queryFulfilled }) {
        const show = (isOn: boolean) =>
          dispatch(
            permissionsApi.util.updateQueryData('listTenantPermissions', { tenantId }, (list) => {
              const one = list.find((other) => other.identifier === identifier);
              if (one) one.isActive = isOn;
            }),
          );
        const isOn = isActive === 'true';
        show(isOn);
        queryFulfilled.catch(() => show(!isOn));
      },
      // Also after a failure: somebody else may have moved that switch meanwhile.
      invalidatesTags: ['TenantPermissions'],
    }),
  }),
});

export const { listPermissions } = permissionsApi.endpoints;

export const {
  useListPermissionsQuery,
  useListAvailableIdsQuery,
  useCreatePermissionMutation,
  useEditPermissionMutation,
  useMovePermissionMutation,
  useDeletePermissionMutation,
  useSyncPermissionsMutation,
  useListTenantPermissionsQuery,
  useSetTenantPermissionMutation,
} = permissionsApi;

/** For `useOperation`. */
export const { syncTenantsPermissions } = permissionsApi.endpoints;
