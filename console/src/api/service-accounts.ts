import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { api, mutationFor, unlessFailed } from './http/client.ts';

const serviceAccountsApi = api.injectEndpoints({
  endpoints: (build) => ({
    createServiceAccount: build.mutation({
      ...mutationFor(serviceAccountRoutes.create),
      invalidatesTags: unlessFailed('Users', 'Dashboard'),
    }),
    // Another role changes which permissions the keys may have.
    editServiceAccount: build.mutation({
      ...mutationFor(serviceAccountRoutes.edit),
      invalidatesTags: unlessFailed('Users', 'ApiKeys'),
    }),
  }),
});

export const { useCreateServiceAccountMutation, useEditServiceAccountMutation } = serviceAccountsApi;
