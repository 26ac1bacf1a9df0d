import { roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import { api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';

const change = unlessFailed('Roles');
// The users list shows names of roles, and the user form offers them.
const reloadUsers = unlessFailed('Roles', 'Users', 'Lookups');

const rolesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listRoles: build.query({ ...queryFor(roleRoutes.list), providesTags: ['Roles'] }),
    createRole: build.mutation({ ...mutationFor(roleRoutes.create), invalidatesTags: reloadUsers }),
    renameRole: build.mutation({ ...mutationFor(roleRoutes.edit), invalidatesTags: reloadUsers }),
    deleteRole: build.mutation({ ...mutationFor(roleRoutes.delete), invalidatesTags: reloadUsers }),
    setRoleSecondFactor: build.mutation({ ...mutationFor(roleFactorRoutes.setRequired), invalidatesTags: change }),
    // Asked for as it is at this moment.
    planRoleSecondFactor: build.query({ ...queryFor(roleFactorRoutes.planRequired), keepUnusedDataFor: 0 }),
    planRolePermissions: build.query({
      ...queryFor(roleRoutes.planPermissions),
      keepUnusedDataFor: 0,
      ...reloadsWhenGone('Roles'),
    }),
    editRolePermissions: build.mutation({ ...mutationFor(roleRoutes.editPermissions), invalidatesTags: change }),
  }),
});

export const { listRoles } = rolesApi.endpoints;

export const {
  useListRolesQuery,
  useCreateRoleMutation,
  useRenameRoleMutation,
  useDeleteRoleMutation,
  useSetRoleSecondFactorMutation,
  usePlanRoleSecondFactorQuery,
  usePlanRolePermissionsQuery,
  useEditRolePermissionsMutation,
} = rolesApi;
