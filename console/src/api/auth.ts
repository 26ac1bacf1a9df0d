import { authRoutes } from '@apotheca/contract/auth';
import { answerFor, api } from './http/client.ts';

const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    authenticate: build.mutation(answerFor(authRoutes.authenticate)),
  }),
});

export const { useAuthenticateMutation } = authApi;
