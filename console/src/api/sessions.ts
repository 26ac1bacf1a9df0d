import { authRoutes } from '@apotheca/contract/auth';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Sessions');

const sessionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listSessions: build.query({ ...queryFor(authRoutes.listSessions), providesTags: ['Sessions'] }),
    listUserSessions: build.query({ ...queryFor(authRoutes.listUserSessions), providesTags: ['Sessions'] }),
    endSession: build.mutation({ ...mutationFor(authRoutes.endSession), invalidatesTags: change }),
    endUserSession: build.mutation({ ...mutationFor(authRoutes.endUserSession), invalidatesTags: change }),
  }),
});

export const { useListSessionsQuery, useListUserSessionsQuery, useEndSessionMutation, useEndUserSessionMutation } =
  sessionsApi;
