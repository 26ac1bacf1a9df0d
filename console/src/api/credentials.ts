import { credentialRoutes } from '@apotheca/contract/credentials';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Credentials');

const credentialsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getTenantConnection: build.query({ ...queryFor(credentialRoutes.connection), providesTags: ['Credentials'] }),
    // The first time it makes a login.
    revealCredentials: build.mutation({ ...mutationFor(credentialRoutes.reveal), invalidatesTags: change }),
    // A refusal may say that somebody else has rotated it.
    rotateCredentials: build.mutation({ ...mutationFor(credentialRoutes.rotate), invalidatesTags: ['Credentials'] }),
    limitConnections: build.mutation({ ...mutationFor(credentialRoutes.limit), invalidatesTags: change }),
  }),
});

export const {
  useGetTenantConnectionQuery,
  useRevealCredentialsMutation,
  useRotateCredentialsMutation,
  useLimitConnectionsMutation,
} = credentialsApi;
