import { userRoutes } from '@apotheca/contract/users';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Users');
// A new password or role, deactivation and deletion end the user's sessions.
const changeOfSessions = unlessFailed('Users', 'Sessions');
const changeOfNumber = unlessFailed('Users', 'Sessions', 'Dashboard');

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query({ ...queryFor(userRoutes.list), providesTags: ['Users'] }),
    getUserOptions: build.query({ ...queryFor(userRoutes.options), providesTags: ['Lookups'] }),
    createUser: build.mutation({ ...mutationFor(userRoutes.create), invalidatesTags: changeOfNumber }),
    editUser: build.mutation({ ...mutationFor(userRoutes.edit), invalidatesTags: changeOfSessions }),
    activateUser: build.mutation({ ...mutationFor(userRoutes.activate), invalidatesTags: change }),
    deactivateUser: build.mutation({ ...mutationFor(userRoutes.deactivate), invalidatesTags: changeOfSessions }),
    duplicateUser: build.mutation({ ...mutationFor(userRoutes.duplicate), invalidatesTags: changeOfNumber }),
    deleteUser: build.mutation({ ...mutationFor(userRoutes.delete), invalidatesTags: changeOfNumber }),
  }),
});

export const {
  useListUsersQuery,
  useGetUserOptionsQuery,
  useCreateUserMutation,
  useEditUserMutation,
  useActivateUserMutation,
  useDeactivateUserMutation,
  useDuplicateUserMutation,
  useDeleteUserMutation,
} = usersApi;
