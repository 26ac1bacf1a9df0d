import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

// The list of users says who has a second factor.
const change = unlessFailed('Factors', 'Users');
const rename = unlessFailed('Factors');

const factorsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getOwnFactors: build.query({ ...queryFor(ownFactorRoutes.get), providesTags: ['Factors'] }),
    beginTotp: build.mutation(mutationFor(ownFactorRoutes.beginTotp)),
    confirmTotp: build.mutation({ ...mutationFor(ownFactorRoutes.confirmTotp), invalidatesTags: change }),
    removeTotp: build.mutation({ ...mutationFor(ownFactorRoutes.removeTotp), invalidatesTags: change }),
    makeRecoveryCodes: build.mutation({ ...mutationFor(ownFactorRoutes.makeRecoveryCodes), invalidatesTags: rename }),
    beginPasskey: build.mutation(mutationFor(ownFactorRoutes.beginPasskey)),
    addPasskey: build.mutation({ ...mutationFor(ownFactorRoutes.addPasskey), invalidatesTags: change }),
    renamePasskey: build.mutation({ ...mutationFor(ownFactorRoutes.renamePasskey), invalidatesTags: rename }),
    removePasskey: build.mutation({ ...mutationFor(ownFactorRoutes.removePasskey), invalidatesTags: change }),
  }),
});

export const {
  useGetOwnFactorsQuery,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useMakeRecoveryCodesMutation,
  useBeginPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
} = factorsApi;
