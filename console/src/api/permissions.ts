import { permissionRoutes } from '@apotheca/contract/permissions';
import type { ResultOf } from '@apotheca/contract/route';
import { api, mutationFor, queryFor, unlessFailed } from './client.ts';
import type { Reply } from './transport.ts';

// Menus are permissions, and come by the same calls.
const change = unlessFailed('Permissions', 'Menus');

const permissionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPermissions: build.query({
      ...queryFor(permissionRoutes.list),
      transformResponse: ({ result }: Reply<ResultOf<typeof permissionRoutes.list>>) => result.permissions,
      providesTags: ['Permissions'],
    }),
    // Fresh ones for each dialog.
    listAvailableIds: build.query({ ...queryFor(permissionRoutes.listAvailableIds), keepUnusedDataFor: 0 }),
    createPermission: build.mutation({ ...mutationFor(permissionRoutes.create), invalidatesTags: change }),
    editPermission: build.mutation({ ...mutationFor(permissionRoutes.edit), invalidatesTags: change }),
    movePermission: build.mutation({ ...mutationFor(permissionRoutes.move), invalidatesTags: change }),
    deletePermission: build.mutation({ ...mutationFor(permissionRoutes.delete), invalidatesTags: change }),
    syncPermissions: build.mutation({ ...mutationFor(permissionRoutes.sync), invalidatesTags: change }),
    syncTenantsPermissions: build.mutation(mutationFor(permissionRoutes.syncTenants)),
  }),
});

export const {
  useListPermissionsQuery,
  useListAvailableIdsQuery,
  useCreatePermissionMutation,
  useEditPermissionMutation,
  useMovePermissionMutation,
  useDeletePermissionMutation,
  useSyncPermissionsMutation,
  useSyncTenantsPermissionsMutation,
} = permissionsApi;
