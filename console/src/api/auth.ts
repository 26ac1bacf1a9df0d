import { authRoutes } from '@apotheca/contract/auth';
import { api, mutationFor } from './client.ts';

const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    authenticate: build.mutation(mutationFor(authRoutes.authenticate)),
  }),
});

export const { useAuthenticateMutation } = authApi;
