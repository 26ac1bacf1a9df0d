import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('ApiKeys');

const apiKeysApi = api.injectEndpoints({
  endpoints: (build) => ({
    listApiKeys: build.query({ ...queryFor(apiKeyRoutes.list), providesTags: ['ApiKeys'] }),
    createApiKey: build.mutation({ ...mutationFor(apiKeyRoutes.create), invalidatesTags: change }),
    rotateApiKey: build.mutation({ ...mutationFor(apiKeyRoutes.rotate), invalidatesTags: change }),
    deleteApiKey: build.mutation({ ...mutationFor(apiKeyRoutes.delete), invalidatesTags: change }),
  }),
});

export const { useListApiKeysQuery, useCreateApiKeyMutation, useRotateApiKeyMutation, useDeleteApiKeyMutation } =
  apiKeysApi;
