import { authRoutes } from '@apotheca/contract/auth';
import { setProfile } from '../session/session-slice.ts';
import { api, queryFor } from './http/client.ts';

const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Asks the server who is signed in: this checks the session and updates the stored profile. */
    me: build.query({
      ...queryFor(authRoutes.me),
      // The signed-in user is in the list of users too.
      providesTags: ['Account', 'Users'],
      async onQueryStarted(_, { dispatch, queryFulfilled }) {
        try {
          dispatch(setProfile((await queryFulfilled).data));
        } catch {
          // A refused token has ended the session already; a server that cannot be reached is reported where data is
          // missing.
        }
      },
    }),
  }),
});

export const { useMeQuery } = profileApi;
