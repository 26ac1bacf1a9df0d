import { accountRoutes } from '@apotheca/contract/account';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const accountApi = api.injectEndpoints({
  endpoints: (build) => ({
    // Asked anew by each question: factors come and go.
    getProofWays: build.query({ ...queryFor(accountRoutes.proofWays), keepUnusedDataFor: 0 }),
    // The same for the account's page, which stays open: by what the signed-in user signs in.
    getSignInWays: build.query({ ...queryFor(accountRoutes.proofWays), providesTags: ['Account', 'Users'] }),
    prove: build.mutation(mutationFor(accountRoutes.prove)),
    beginPasskeyProof: build.mutation(mutationFor(accountRoutes.beginPasskeyProof)),
    proveByPasskey: build.mutation(mutationFor(accountRoutes.proveByPasskey)),
    beginProviderProof: build.mutation(mutationFor(accountRoutes.beginProviderProof)),
    proveByProvider: build.mutation(mutationFor(accountRoutes.proveByProvider)),
    // Not in the store for longer than it takes to make keys of them that cannot be read.
    getDraftKeys: build.query({ ...queryFor(accountRoutes.draftKeys), keepUnusedDataFor: 0 }),
    // The signed-in user is in the list of users too.
    getAccount: build.query({ ...queryFor(accountRoutes.get), providesTags: ['Account', 'Users'] }),
    // What a role may do is changed with the role; the user may get another one.
    getRights: build.query({
      ...queryFor(accountRoutes.rights),
      providesTags: ['Account', 'Users', 'Roles', 'Permissions'],
    }),
    editAccount: build.mutation({
      ...mutationFor(accountRoutes.edit),
      invalidatesTags: unlessFailed('Account', 'Users'),
    }),
    changeOwnPassword: build.mutation({
      ...mutationFor(accountRoutes.changePassword),
      invalidatesTags: unlessFailed('Account', 'Users', 'Sessions'),
    }),
  }),
});

export const { getAccount, getDraftKeys } = accountApi.endpoints;
export const {
  useGetProofWaysQuery,
  useGetSignInWaysQuery,
  useProveMutation,
  useBeginPasskeyProofMutation,
  useProveByPasskeyMutation,
  useBeginProviderProofMutation,
  useProveByProviderMutation,
  useGetAccountQuery,
  useGetRightsQuery,
  useEditAccountMutation,
  useChangeOwnPasswordMutation,
} = accountApi;
