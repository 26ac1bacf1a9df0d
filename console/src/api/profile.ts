import { authRoutes } from '@apotheca/contract/auth';
import { setProfile } from '../session/session-slice.ts';
import { api, queryFor } from './http/client.ts';

const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Asks the server who is signed in: checks the session, and brings the profile up to date. */
    me: build.query({
      ...queryFor(authRoutes.me),
      // Who is signed in is one of the users.
      providesTags: ['Users'],
      async onQueryStarted(_, { dispatch, queryFulfilled }) {
        try {
          dispatch(setProfile((await queryFulfilled).data));
        } catch {
          // A refused token has ended the session by now; a server out of reach says so where data is missing.
        }
      },
    }),
  }),
});

export const { useMeQuery } = profileApi;
