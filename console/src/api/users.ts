import { USER_SORT_COLUMNS, type User, userRoutes } from '@apotheca/contract/users';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Users');
// A new password or role, deactivation and deletion end the user's sessions; the latter two API keys as well.
const reloadSessions = unlessFailed('Users', 'Sessions', 'ApiKeys');
const reloadCounts = unlessFailed('Users', 'Sessions', 'Dashboard');

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query({ ...queryFor(userRoutes.list), providesTags: ['Users'] }),
    getUserOptions: build.query({ ...queryFor(userRoutes.options), providesTags: ['Lookups'] }),
    createUser: build.mutation({ ...mutationFor(userRoutes.create), invalidatesTags: reloadCounts }),
    editUser: build.mutation({ ...mutationFor(userRoutes.edit), invalidatesTags: reloadSessions }),
    activateUser: build.mutation({ ...mutationFor(userRoutes.activate), invalidatesTags: change }),
    deactivateUser: build.mutation({ ...mutationFor(userRoutes.deactivate), invalidatesTags: reloadSessions }),
    duplicateUser: build.mutation({ ...mutationFor(userRoutes.duplicate), invalidatesTags: reloadCounts }),
    resetFactors: build.mutation({ ...mutationFor(userRoutes.resetFactors), invalidatesTags: reloadSessions }),
    deleteUser: build.mutation({ ...mutationFor(userRoutes.delete), invalidatesTags: reloadCounts }),
  }),
});

/** How the list is first asked for: other readers share the answer with its screen. */
export const USERS_AS_LISTED = { sortColumn: USER_SORT_COLUMNS[0], sortDirection: 'asc' } as const;

export const { listUsers } = usersApi.endpoints;

export const {
  useListUsersQuery,
  useGetUserOptionsQuery,
  useCreateUserMutation,
  useEditUserMutation,
  useActivateUserMutation,
  useDeactivateUserMutation,
  useDuplicateUserMutation,
  useResetFactorsMutation,
  useDeleteUserMutation,
} = usersApi;

/**
 * What the selects of a user's form offer. The list that is kept may be older than the user: it lacks the role that somebody has made and
 * given to the user since.
 * @param user absent for a new one
 */
export function useUserOptions(user?: User) {
  const { data, error, refetch } = useGetUserOptionsQuery();
  const isLacking = data && user && data.roles.every(({ id }) => id !== user.roleId);
  const options = isLacking ? { ...data, roles: [...data.roles, { id: user.roleId, ...user.role }] } : data;
  return { options, error, refetch };
}
