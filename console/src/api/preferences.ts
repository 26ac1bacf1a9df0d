import { preferenceRoutes } from '@apotheca/contract/preferences';
import { api, mutationFor, queryFor } from './http/client.ts';

const preferencesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPreferences: build.query(queryFor(preferenceRoutes.get)),
    putListLayout: build.mutation(mutationFor(preferenceRoutes.put)),
  }),
});

export const { useGetPreferencesQuery, usePutListLayoutMutation } = preferencesApi;
